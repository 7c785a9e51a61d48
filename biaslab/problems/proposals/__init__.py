"""Readings proposed by a model or a person, and believed only where the software proves them."""

from biaslab.problems.proposals.statements import (
    Proposal,
    ProposalError,
    Relation,
    Statement,
    schema,
)

__all__ = ["Proposal", "ProposalError", "Relation", "Statement", "schema"]
