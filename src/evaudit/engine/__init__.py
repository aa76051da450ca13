"""Who calls a step over partitions: in this process today; the step itself knows nothing of it."""
