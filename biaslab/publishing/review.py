"""People judge texts: sheets for each reviewer, how far they agree, and how many texts are faulty.

Two yes/no criteria for every text, as in Opedal et al. (2024), appendix A.2; the wording is our
own. Everybody judges the control set, which says whether reviewers mean the same by the criteria;
the further texts are split among them. The error rate is estimated on all texts: each comes from a
pair of its own and was drawn at random.

Texts come from pairs of their own, so that they are independent of each other and nobody can
compare a text with its partner. Nothing of a review is kept by BiasLab: the sheets hold it all,
and no more about a person than what they are called. Reviews that earlier versions kept in files
of runs are given out as the same sheets.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.files.decoding import check_size, clean, decode
from biaslab.files.errors import InterchangeError
from biaslab.files.formats.csv_tables import read_csv
from biaslab.files.opening import open_table
from biaslab.files.tables import guarded, unguarded
from biaslab.runs import Store
from biaslab.runs.engine.sources import at_most_all, study_in
from biaslab.runs.errors import ReviewError
from biaslab.runs.store.schema import REVIEW_TABLES
from biaslab.stats.errors import UnknownChoice
from biaslab.stats.estimates import Interval, Values, check_confidence
from biaslab.studies import Design, content_hash
from biaslab.studies.study import Pair
from biaslab.system.roles import May, require
from schoolmath.problems import DesignError
from schoolmath.problems.draws import Draws

RESAMPLES = 2_000
"""Bootstrap samples of texts for an interval of kappa."""

EITHER = "either"
"""The error rate of texts that fail at least one criterion."""


class Criterion(StrEnum):
    """One of the two questions that are answered for every text."""

    NATURAL = "natural"
    CLEAR = "clear"

    @property
    def label(self) -> str:
        """A short name for tables."""
        return {"natural": "language", "clear": "task and answer"}[self.value]

    @property
    def question(self) -> str:
        """What a reviewer is asked."""
        return {
            "natural": "Is every sentence grammatical and natural English?",
            "clear": "Is it clear what is asked, and is the stated answer right?",
        }[self.value]

    @property
    def explanation(self) -> str:
        """What counts as a no, in one line."""
        return {
            "natural": "No: a mistake in grammar, a word that nobody would use, or something that "
            "does not happen in the world.",
            "clear": "No: it can be understood in two ways, something is missing, or the answer "
            "does not follow.",
        }[self.value]


@dataclass(frozen=True, slots=True)
class ReviewJudgement:
    """What a reviewer said about a text.

    Attributes:
        natural, clear: the answers to the two questions.
        comment: what else was said; often empty.
    """

    natural: bool
    clear: bool
    comment: str = ""

    def answer_to(self, criterion: Criterion) -> bool:
        """The answer to one of the questions."""
        return self.natural if criterion is Criterion.NATURAL else self.clear


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A text with what its reviewers said.

    Attributes:
        number: of the text in its review.
        judgements: in the order of the reviewers; for a control text one of each.
    """

    number: int
    judgements: tuple[ReviewJudgement, ...]


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """How far reviewers agree on one criterion.

    Attributes:
        criterion: which question.
        method: ``Cohen's kappa`` for two reviewers, ``Fleiss' kappa`` for more.
        raters, texts: how many.
        kappa: agreement beyond chance, at most 1; None where everybody always said the same,
            so that nothing could be agreed on by chance or otherwise.
        interval: percentile interval of a bootstrap over texts; None without kappa.
        undefined: share of the bootstrap samples in which kappa was undefined; they are left
            out of the interval.
        raw: chance that two reviewers of a text drawn at random say the same, 0..1.
        disputed: numbers of the texts that reviewers do not agree on.
        noes: how often somebody said no.
        confidence: coverage of the interval.
    """

    criterion: Criterion
    method: str
    raters: int
    texts: int
    kappa: float | None
    interval: Interval | None
    undefined: float
    raw: float
    disputed: tuple[int, ...]
    noes: int
    confidence: float


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """How many texts fail a criterion.

    Attributes:
        criterion: ``natural``, ``clear`` or `EITHER`.
        texts: how many were judged; faulty: numbers of those that fail.
        rate: share that fails, 0..1.
        interval: exact interval (Clopper & Pearson 1934, Biometrika 26:404-413).
        confidence: coverage of the interval.
    """

    criterion: str
    texts: int
    faulty: tuple[int, ...]
    rate: float
    interval: Interval
    confidence: float


def rater_agreement(
    texts: Sequence[JudgedText], criterion: Criterion, confidence: float = 0.95
) -> RaterAgreement:
    """Agreement of reviewers who all judged the same texts.

    Cohen's kappa (Cohen 1960, Educ. Psychol. Meas. 20:37-46) for two reviewers, Fleiss' kappa
    (Fleiss 1971, Psychol. Bull. 76:378-382) for more.

    Args:
        texts: texts with one judgement of each reviewer, in the same order.
        criterion: which question.
        confidence: coverage of the interval.

    Raises:
        UnknownChoice: fewer than two reviewers, no texts, or a text that not all have judged.
    """
    check_confidence(confidence)
    counts = {len(text.judgements) for text in texts}
    if len(counts) != 1 or min(counts) < 2:
        raise UnknownChoice(
            "Agreement needs texts that two or more reviewers have all judged: let everybody "
            "judge the whole control set first."
        )
    (raters,) = counts
    yes = np.array([[each.answer_to(criterion) for each in text.judgements] for text in texts])
    said = yes.sum(axis=1)
    known = float(_kappas(yes[np.newaxis])[0])
    kappa = None if np.isnan(known) else known
    interval, undefined = _bootstrapped(yes, confidence) if kappa is not None else (None, 0.0)
    agreeing = said * (said - 1) + (raters - said) * (raters - said - 1)
    return RaterAgreement(
        criterion=criterion,
        method="Cohen's kappa" if raters == 2 else "Fleiss' kappa",
        raters=raters,
        texts=len(texts),
        kappa=kappa,
        interval=interval,
        undefined=undefined,
        raw=float(agreeing.mean() / (raters * (raters - 1))),
        disputed=tuple(
            text.number for text, count in zip(texts, said, strict=True) if 0 < count < raters
        ),
        noes=int(yes.size - said.sum()),
        confidence=confidence,
    )


def _kappas(yes: npt.NDArray[np.bool_]) -> Values:
    """Kappa of many tables at once: Cohen's for two reviewers, Fleiss' for more.

    Args:
        yes: shape (tables, texts, reviewers).

    Returns:
        shape (tables,); NaN where everybody said the same of everything, so kappa is undefined.
    """
    reviewers = yes.shape[2]
    if reviewers == 2:
        first, other = yes[:, :, 0], yes[:, :, 1]
        observed = (first == other).mean(axis=1)
        shares = first.mean(axis=1), other.mean(axis=1)
    else:
        said = yes.sum(axis=2)
        unsaid = reviewers - said
        alike = said * (said - 1) + unsaid * (unsaid - 1)
        observed = alike.mean(axis=1) / (reviewers * (reviewers - 1))
        shares = (said.mean(axis=1) / reviewers,) * 2
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    varies = yes.any(axis=(1, 2)) & ~yes.all(axis=(1, 2))
    kappas = np.full(len(yes), np.nan)
    kappas[varies] = (observed[varies] - chance[varies]) / (1 - chance[varies])
    return kappas


def _bootstrapped(yes: npt.NDArray[np.bool_], confidence: float) -> tuple[Interval | None, float]:
    """Percentile interval over resampled texts, and the share without kappa.

    The stream of random choices is fixed: the same judgements give the same interval.
    """
    drawn = np.random.default_rng(20240506).integers(len(yes), size=(RESAMPLES, len(yes)))
    found = _kappas(yes[drawn])
    defined = found[~np.isnan(found)]
    undefined = 1 - len(defined) / RESAMPLES
    if not defined.size:
        return None, undefined
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high)), undefined


def fails(judgements: Sequence[ReviewJudgement], criterion: Criterion) -> bool:
    """Whether at least half of a text's reviewers said no; a tie counts as a fault."""
    noes = sum(not each.answer_to(criterion) for each in judgements)
    return bool(judgements) and 2 * noes >= len(judgements)


def error_rates(texts: Sequence[JudgedText], confidence: float = 0.95) -> list[ErrorRate]:
    """Error rates per criterion and of either.

    Args:
        texts: texts with at least one judgement each.
        confidence: coverage of the intervals.

    Returns:
        three rows; none without texts.

    Raises:
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_confidence(confidence)
    rates = []
    for name in (*Criterion, EITHER) if texts else ():
        wanted = tuple(Criterion) if name == EITHER else (Criterion(name),)
        faulty = tuple(
            text.number for text in texts if any(fails(text.judgements, c) for c in wanted)
        )
        interval = exact_interval(len(faulty), len(texts), confidence)
        share = len(faulty) / len(texts)
        rates.append(ErrorRate(str(name), len(texts), faulty, share, interval, confidence))
    return rates


def exact_interval(faulty: int, texts: int, confidence: float = 0.95) -> Interval:
    """Clopper and Pearson's interval of a share; it covers at least as often as it says."""
    low, high = scipy.stats.binomtest(faulty, texts).proportion_ci(confidence, method="exact")
    return Interval(float(low), float(high))


def split(texts: Sequence[int], reviewers: int, seed: int) -> list[list[int]]:
    """Deals texts among reviewers: each to one, in shares that differ by one at most.

    Args:
        texts: their numbers.
        reviewers: how many there are, at least 1.
        seed: the same seed gives the same split; who gets one more is random too.

    Returns:
        for each reviewer the numbers, in the order in which they are shown.
    """
    draws = Draws(f"review split/{seed}")
    shuffled = draws.several(texts, len(texts))
    order = draws.several(range(reviewers), reviewers)
    shares: list[list[int]] = [[] for _ in range(reviewers)]
    for place, number in enumerate(shuffled):
        shares[order[place % reviewers]].append(number)
    return shares


def shuffled_for_each(texts: Sequence[int], reviewers: int, seed: int) -> list[list[int]]:
    """All texts for every reviewer, each in an order of its own."""
    return [
        Draws(f"review order/{seed}/{place}").several(texts, len(texts))
        for place in range(reviewers)
    ]


CONTROL, MOST_CONTROL = 10, 100
"""Texts of a control set: as in the paper, and the most."""

MORE, MOST_MORE = 90, 1_000
"""Texts that are split: as in the paper, and the most."""

FEWEST_PEOPLE, MOST_PEOPLE = 2, 10
MOST_BYTES = 20 * 1024 * 1024
"""Of a sheet's file."""

MARK, NUMBER, TEXT, ANSWER = "sheet (do not change)", "number", "text", "stated answer"
ENDINGS = (*(f"{each.question} (yes/no)" for each in Criterion), "comment")
"""What a reviewer's columns end in, after their name: ``AB: comment``."""

_PERSON = re.compile(r"[^\W\d_][\w .'’-]{0,19}")
_YES = {"yes", "y", "true", "1", "1.0", "ja", "oui"}
_NO = {"no", "n", "false", "0", "0.0", "nein", "non"}


@dataclass(frozen=True, slots=True)
class ReviewText:
    """A text to be judged: its number in the review, from 1, and the answer stated to be right."""

    number: int
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class ReviewSheet:
    """What one reviewer judges.

    Attributes:
        review: the same in every sheet of a review.
        reviewer: name or initials.
        texts: in the order in which the reviewer reads them.
        said: judgements by the text's number; a text that is not judged yet has none.
    """

    review: str
    reviewer: str
    texts: tuple[ReviewText, ...]
    said: Mapping[int, ReviewJudgement]

    @property
    def missing(self) -> int:
        """How many texts are not judged yet."""
        return len(self.texts) - len(self.said)


def make_sheets(
    store: Store,
    design: Design,
    people: Sequence[str],
    *,
    seed: int = 1,
    control: int = CONTROL,
    further: int = MORE,
) -> list[ReviewSheet]:
    """Draws the texts of a review: everybody judges the first ones, the further ones are split.

    Args:
        store: where sets of pairs are kept.
        design: where the texts come from: a study's pairs, or a set of pairs.
        people: names or initials, 2 to 10.
        seed: decides texts, order and who gets what.
        control: texts that everybody judges, 2 to 100.
        further: texts that are split, up to 1,000.

    Raises:
        ReviewError: names or sizes that cannot be.
        DesignError: the design gives no pairs, or too few different texts.
    """
    names = checked_people(people)
    if not 2 <= control <= MOST_CONTROL:
        raise ReviewError(f"A control set has 2 to {MOST_CONTROL} texts, not {control}.")
    if not len(names) <= further <= MOST_MORE:
        raise ReviewError(
            f"From {len(names)} to {MOST_MORE:,} further texts can be split among "
            f"{len(names)} reviewers, not {further}."
        )
    design = at_most_all(store, design)
    study = study_in(store, design.study)
    texts = draw_texts(lambda: study.pairs(design), design.n, seed, control + further)
    review = content_hash(seed, control, *((each.text, each.answer) for each in texts))[:12]
    numbers = range(1, control + further + 1)
    orders = shuffled_for_each(numbers[:control], len(names), seed)
    shares = split(numbers[control:], len(names), seed)
    return [
        ReviewSheet(review, name, tuple(texts[number - 1] for number in (*order, *share)), {})
        for name, order, share in zip(names, orders, shares, strict=True)
    ]


def checked_people(people: Sequence[str]) -> tuple[str, ...]:
    """Names of reviewers with blanks put right.

    Raises:
        ReviewError: too few, too many, twice the same, or no names.
    """
    names = tuple(_person(name) for name in people if name.strip())
    if not FEWEST_PEOPLE <= len(names) <= MOST_PEOPLE:
        raise ReviewError(
            f"A review has {FEWEST_PEOPLE} to {MOST_PEOPLE} reviewers, not {len(names)}: "
            "with one alone nobody knows whether others would judge alike."
        )
    if len({name.casefold() for name in names}) < len(names):
        raise ReviewError("Two reviewers have the same name. Add a letter or a digit to one.")
    return names


def _person(name: str) -> str:
    name = _plain(name)
    if not _PERSON.fullmatch(name):
        raise ReviewError(
            f"“{name[:30]}” cannot be a reviewer’s name here: use a first name or initials of at "
            "most 20 letters, digits, blanks, dots and hyphens."
        )
    return name


def draw_texts(
    pairs: Callable[[], Iterable[Pair]], total: int, seed: int, count: int
) -> list[ReviewText]:
    """Texts of different pairs, drawn at random; which member of a pair is shown is random too.

    The order depends on seed and pairs alone.

    Args:
        pairs: gives the pairs, from the start each time: of a design, or a set that is kept.
        total: how many pairs there are.
        seed: any whole number.
        count: how many texts are wanted.

    Raises:
        DesignError: there are not so many different texts.
    """
    order = Draws(f"review texts/{seed}").several(range(total), total)
    # Pairs of some studies share texts, so more pairs may have to be looked at than are wanted.
    reach = min(total, 2 * count)
    while len(found := _different(pairs, order[:reach], seed)) < count:
        if reach >= total:
            raise DesignError(
                f"The pairs hold {len(found):,} different texts, and the review needs {count:,}.",
                "Make more pairs, or review fewer texts.",
                "n",
            )
        reach = min(total, 2 * reach)
    shown = list(found.items())[:count]
    return [ReviewText(number, *each) for number, each in enumerate(shown, 1)]


def _different(
    pairs: Callable[[], Iterable[Pair]], places: Sequence[int], seed: int
) -> dict[str, str]:
    """Texts of the pairs at these places, in this order, each once with its answer."""
    wanted = set(places)
    last = max(wanted, default=-1)
    at: dict[int, Pair] = {}
    for place, pair in enumerate(pairs()):
        if place in wanted:
            at[place] = pair
        if place >= last:
            break
    found: dict[str, str] = {}
    for place in places:
        if place in at:
            member = Draws(f"review member/{seed}/{place}").one(("x", "x_prime"))
            item = at[place].x if member == "x" else at[place].x_prime
            found.setdefault(item.text, item.answer)
    return found


def write_sheet(sheet: ReviewSheet) -> bytes:
    """A sheet for a spreadsheet; no cell begins with what it would run as a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([MARK, NUMBER, TEXT, ANSWER, *(f"{sheet.reviewer}: {end}" for end in ENDINGS)])
    mark = _mark(sheet.review, sheet.texts)
    for each in sheet.texts:
        said = sheet.said.get(each.number)
        cells = [mark, str(each.number), each.text, each.answer]
        cells += [("yes" if said.answer_to(c) else "no") if said else "" for c in Criterion]
        writer.writerow([guarded(cell) for cell in (*cells, said.comment if said else "")])
    # Spreadsheets know by the mark at the beginning that the text is UTF-8.
    return ("\ufeff" + text.getvalue()).encode()


def _mark(review: str, texts: Iterable[ReviewText]) -> str:
    """Says which texts a sheet was given out with, whatever was said and in whichever order."""
    held = sorted((each.number, _plain(each.text), _plain(each.answer)) for each in texts)
    return f"{review}-{content_hash(*held)[:16]}"


def _plain(text: str) -> str:
    """A text without what programs change unasked: stretches of blanks, and line ends."""
    return " ".join(text.split())


def read_sheet(data: bytes) -> ReviewSheet:
    """A sheet that came back as CSV or XLSX, judged wholly or in part.

    Raises:
        InterchangeError: it is no sheet, its texts were changed, or an answer cannot be read.
        ReviewError: the reviewer's name cannot be one.
    """
    check_size(data, MOST_BYTES)
    if data.startswith(b"PK"):
        table = open_table(data, "sheet.xlsx")
        columns, rows = table.columns, list(table.rows)
        cells_of = [{key: unguarded(cell) for key, cell in row.cells.items()} for row in rows]
    else:
        columns, found = read_csv(decode(data).text)
        rows = list(found)
        cells_of = [dict(row.cells) for row in rows]
    plain = {_plain(column): column for column in columns}
    people = {name[: -len(ENDINGS[0]) - 2] for name in plain if name.endswith(f": {ENDINGS[0]}")}
    named = [f"{name}: {end}" for name in people for end in ENDINGS]
    missing = [name for name in (MARK, NUMBER, TEXT, ANSWER, *named) if name not in plain]
    if missing or len(people) != 1:
        lacks = f"the column “{missing[0]}”" if missing else "the columns of one reviewer"
        raise InterchangeError(
            f"The table is no sheet of a quality review: it lacks {lacks}. Keep the first row as "
            "it was given out."
        )
    reviewer = _person(people.pop())
    texts: dict[int, ReviewText] = {}
    said: dict[int, ReviewJudgement] = {}
    marks: set[str] = set()
    for row, known in zip(rows, cells_of, strict=True):
        if row.refusal:
            raise InterchangeError(f"Row {row.number} cannot be read: {row.refusal}.")
        cells = {name: known.get(column, "").strip() for name, column in plain.items()}
        if not any(cells.values()):
            continue
        marks.add(cells[MARK])
        number = cells[NUMBER].removesuffix(".0")
        if not re.fullmatch("[0-9]{1,6}", number) or int(number) in texts:
            wrong = "stands twice" if number.isdecimal() and len(number) < 7 else "has no number"
            raise InterchangeError(f"Row {row.number}: its text {wrong}. Take the sheet as it was.")
        text = ReviewText(int(number), clean(cells[TEXT]), cells[ANSWER])
        texts[text.number] = text
        judgement = _judgement(row.number, *(cells[f"{reviewer}: {end}"] for end in ENDINGS))
        if judgement:
            said[text.number] = judgement
    review = next(iter(marks), "").partition("-")[0]
    if marks != {_mark(review, texts.values())}:
        raise InterchangeError(
            "The texts of this sheet are other ones than were given out: rows, texts or stated "
            "answers were changed, added or taken out. Fill in the sheet as it was given out."
        )
    return ReviewSheet(review, reviewer, tuple(texts.values()), said)


def _judgement(row: int, *cells: str) -> ReviewJudgement | None:
    """What was said in a row; None where nothing was."""
    *answers, comment = cells
    for criterion, cell in zip(Criterion, answers, strict=True):
        if cell and cell.casefold() not in _YES | _NO:
            raise InterchangeError(
                f"Row {row}: “{cell[:20]}” is neither yes nor no ({criterion.label}). Write yes or "
                "no."
            )
    if not any(cells):
        return None
    if not all(answers):
        raise InterchangeError(f"Row {row}: a question has no answer. Answer both with yes or no.")
    natural, clear = (cell.casefold() in _YES for cell in answers)
    return ReviewJudgement(natural, clear, clean(comment))


@dataclass(frozen=True, slots=True)
class Judgements:
    """What the reviewers said whose sheets are there.

    Attributes:
        people: the reviewers, in the order of their names.
        texts: by number.
        control: the texts that all of them were given; none while somebody has yet to judge one.
        all: every text that is judged by those who were given it.
        missing: judgements that are not there yet, by reviewer.
    """

    people: tuple[str, ...]
    texts: Mapping[int, ReviewText]
    control: tuple[JudgedText, ...]
    all: tuple[JudgedText, ...]
    missing: Mapping[str, int]


def put_together(sheets: Sequence[ReviewSheet]) -> Judgements:
    """Puts the sheets of one review together.

    Raises:
        ReviewError: they belong to different reviews, or two are of the same reviewer.
    """
    ordered = sorted(sheets, key=lambda sheet: sheet.reviewer.casefold())
    people = checked_people([sheet.reviewer for sheet in ordered])
    if len({sheet.review for sheet in ordered}) > 1:
        raise ReviewError("The sheets belong to different reviews. Choose those of one review.")
    texts = {each.number: each for sheet in ordered for each in sheet.texts}
    held = [{each.number for each in sheet.texts} for sheet in ordered]
    waiting = {n for own, sheet in zip(held, ordered, strict=True) for n in own - sheet.said.keys()}
    done = {
        number: JudgedText(
            number, tuple(sheet.said[number] for sheet in ordered if number in sheet.said)
        )
        for number in sorted(texts.keys() - waiting)
    }
    shared = set.intersection(*held)
    return Judgements(
        people,
        texts,
        () if shared & waiting else tuple(done[number] for number in sorted(shared)),
        tuple(done.values()),
        {sheet.reviewer: sheet.missing for sheet in ordered if sheet.missing},
    )


def stored_reviews(store: Store) -> dict[str, tuple[str, list[ReviewSheet]]]:
    """Reviews that an earlier version kept in a file of runs: by id the title, and their sheets.

    A sheet has the last control set and the further texts; texts without both answers are open.
    """
    with store.reading() as database:
        found = {
            review: (title, part)
            for review, title, part in database.execute(
                "SELECT id, title, round FROM reviews ORDER BY created DESC, rowid DESC"
            ).fetchall()
        }
        rows = database.execute(
            "SELECT review, people.name, texts.round, number, text, answer, natural, clear, comment"
            " FROM review_tasks AS tasks JOIN review_texts AS texts USING (review, number)"
            " JOIN review_people AS people USING (review)"
            " WHERE people.position = tasks.person ORDER BY tasks.round = 0, turn"
        ).fetchall()
    sheets: dict[str, dict[str, tuple[list[ReviewText], dict[int, ReviewJudgement]]]] = {}
    for review, name, part, number, text, answer, natural, clear, comment in rows:
        if part not in (0, found[review][1]):
            continue
        texts, said = sheets.setdefault(review, {}).setdefault(name, ([], {}))
        texts.append(ReviewText(number, text, answer))
        if natural is not None and clear is not None:
            said[number] = ReviewJudgement(bool(natural), bool(clear), comment)
    return {
        review: (
            title,
            [
                ReviewSheet(review, name, tuple(texts), said)
                for name, (texts, said) in sheets.get(review, {}).items()
            ],
        )
        for review, (title, _) in found.items()
    }


def delete_review(store: Store, review: str) -> None:
    """Takes a review that an earlier version kept out of the file, with what was said in it.

    Raises:
        NotAllowed: whoever acts may not do this.
    """
    require(May.DELETE)
    with store.writing() as database:
        for table in reversed(REVIEW_TABLES):
            column = "id" if table == "reviews" else "review"
            database.execute(f"DELETE FROM {table} WHERE {column} = ?", (review,))
