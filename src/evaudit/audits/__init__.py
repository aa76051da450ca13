"""One function an audit: read, check, collect a ``Result``; one file a room."""
