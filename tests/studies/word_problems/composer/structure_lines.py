"""Random lines of structure for property tests: mostly sensible, some with faults."""

from hypothesis import strategies as st

from schoolmath.problems.structure import SIGNS, SentenceKind, Structure, StructureStep

LETTERS = "ABCD"
_THINGS = ("apple", "pear", "milk", "book")


def _agents(kind: SentenceKind) -> st.SearchStrategy[tuple[str, ...]]:
    letter = st.sampled_from(LETTERS)
    match kind:
        case SentenceKind.TRANSFER:
            side = st.sampled_from(("", *LETTERS))
            pairs = st.tuples(side, side).filter(lambda pair: any(pair))
        case SentenceKind.COMPARISON:
            pairs = st.tuples(letter, letter)
        case _:
            pairs = st.tuples(letter)
    return st.one_of(st.just(()), st.just(()), pairs)


@st.composite
def _steps(draw: st.DrawFn) -> StructureStep:
    kind = draw(st.sampled_from((*SentenceKind, SentenceKind.TRANSFER, SentenceKind.COMPARISON)))
    return StructureStep(
        kind,
        draw(st.sampled_from(("", "", *SIGNS[kind]))),
        draw(st.sampled_from((None, True, False))) if kind is SentenceKind.COMPARISON else None,
        draw(_agents(kind)),
        kind is not SentenceKind.RATE and draw(st.sampled_from((False, False, False, True))),
        draw(st.sampled_from(("",) * 12 + _THINGS)),
    )


def structures(most: int = 7) -> st.SearchStrategy[Structure]:
    """Structures that begin with a container; many of them make sense, not all."""
    return st.lists(_steps(), min_size=1, max_size=most - 1).map(
        lambda steps: Structure((StructureStep(SentenceKind.CONTAINER), *steps))
    )
