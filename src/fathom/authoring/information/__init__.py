"""What is known of a picture before anybody writes questions about it, and who said it.

record.py     one record a picture: captions, instances, attributes, regions, texts
pictures.py   the pictures of a folder or of a dataset
extractors.py one interface for whatever says something of a picture; table.py: those by name
deeds.py      what people do in a scene
perfect.py    from the truth of a scene; noisy.py: the same, with errors at given rates
readers.py    what other tools said: JSON lines and COCO JSON
other_tools.py what Tag2Text, VinVL, GRiT and PaddleOCR said
optical.py    texts by RapidOCR
extracting.py from pictures to a folder of information, resumed where it stopped
nouns.py      how many nouns a caption has
as_text.py    the information as writers of questions read it
"""
