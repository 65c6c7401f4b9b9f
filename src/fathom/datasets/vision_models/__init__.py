"""Models of pictures that run here, from checkpoints on disk: each says something of pictures.

What stands behind a name is a folder with a checkpoint of transformers, and settings after commas:
`objects=detr-resnet-50,score=0.7`. Nothing is downloaded, unpickled, or run that a checkpoint brings.
"""
