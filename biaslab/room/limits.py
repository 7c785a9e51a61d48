"""How much a room takes: limits of this app, against strangers and for phones."""

from __future__ import annotations

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Of codes: without I and O, which are read as digits."""

CODE_LENGTH = 4
"""Letters of a code: 331,776 codes."""

MOST_QUESTIONS = 40
"""Questions of a room: nobody answers more on a phone."""

LONGEST_QUESTION = 2_000
"""Characters of a question."""

LONGEST_TITLE = 120
"""Characters of a room's title."""

MOST_CHOICES = 12
"""Choices of a question, each a button."""

LONGEST_CHOICE = 300
"""Characters of a choice."""

LONGEST_ANSWER = 40
"""Characters of an answer that is typed."""

MOST_PEOPLE = 400
"""People in a room."""

MOST_OPEN = 20
"""Rooms that are open at once, and rehearsals that are kept at once."""

LASTS_HOURS = 24
"""Hours after which a room ends, unless it is opened for another time."""

LONGEST_HOURS = 14 * 24
"""Hours for which a room may be opened."""

KEPT_DAYS = 30
"""Days after which a room is deleted when the file of rooms is opened."""

LARGEST_BODY = 16_384
"""Bytes of a request of a phone: all answers to the questions of a room have some 6,000."""

WRONG_CODES = 30
"""Wrong codes that an address may try at once, and in a minute ever after.

A class behind one address mistypes some; somebody who tries codes one after the other meets one of
20 rooms after nine hours on average.
"""

MOST_ADDRESSES = 10_000
"""Addresses whose wrong codes are remembered."""

TOGETHER = 256
"""Requests that share a commit."""

MOST_WAITING = 4_096
"""Requests that wait to be written; further ones are asked to come again."""

FEWEST_FOR_EFFECT = 6
"""People below which there are counts and no effect."""

FEWEST_FOR_T = 12
"""People below which the interval comes from flipping signs instead of Student's t."""
