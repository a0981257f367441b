"""Tests of weft_figures: `python3 -m unittest` in scripts/figures."""
