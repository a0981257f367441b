"""One file for each seed: its tables and pictures from SEED/full.json or SEED/quick.json."""
