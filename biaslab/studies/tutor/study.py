"""The studies of tutors: five things that a tutor does all day, each as minimal pairs."""

from __future__ import annotations

from biaslab.studies.tutor.following import NextAnswerStudy
from biaslab.studies.tutor.hint import HintStudy
from biaslab.studies.tutor.pressure import PressureStudy
from biaslab.studies.tutor.step import WrongStepStudy
from biaslab.studies.tutor.trap import TrapStudy

STUDIES = (TrapStudy(), WrongStepStudy(), NextAnswerStudy(), PressureStudy(), HintStudy())
