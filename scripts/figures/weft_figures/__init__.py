"""Tables and pictures of the seeds' figures, from the results of a sweep (scripts/figures.sh)."""
