"""One feature changed at a time: what a composed pair's members can differ in.

treatment = check_one("consistency")           # refuses none, two, and unknown names
treatment.check(plan, sentence=None)           # refuses what would change two things at once
twins = treatment.twins(Base(problem, plan, None, numbers, words), draws)   # None: draw again
verify_treatment(x, x_prime, twins, treatment, numbers)     # x, x': the Members of the twins
"""

from biaslab.studies.word_problems.treatments.registry import check_one, treatments
from biaslab.studies.word_problems.treatments.treatment import (
    Base,
    Treatment,
    Twins,
    verify_treatment,
)

__all__ = ["Base", "Treatment", "Twins", "check_one", "treatments", "verify_treatment"]
