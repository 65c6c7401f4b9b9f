"""How near a caption comes to what people wrote: metrics, and the two protocols under which they are used.

A caption's score without its protocol says nothing: the same captions get a BLEU-4 of .24 under `coco` and of
.10 under `plain`. docs/captions.md lists what each metric does under each of the two.
"""
