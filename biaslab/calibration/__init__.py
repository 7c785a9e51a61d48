"""What the software promises, measured: coverage, false findings, stopping rules, studies.

`python -m biaslab.calibration` (or `make calibration`) asks every study of learners whose bias is
known and writes docs/calibration.md.
"""
