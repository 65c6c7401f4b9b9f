"""Published annotations of what people do in videos: Something-Something-v2, EPIC-KITCHENS-100, Breakfast."""
