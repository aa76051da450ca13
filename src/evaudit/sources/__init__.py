"""A text and its identity: references, anchors, digests, documents, and the view that says which may be used."""
