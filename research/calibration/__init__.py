"""What the software promises, measured: coverage, false findings, stopping rules, studies.

`python -m research.calibration` (or `make calibration`) asks every study of learners whose bias is
known and writes research/docs/calibration.csv.
"""
