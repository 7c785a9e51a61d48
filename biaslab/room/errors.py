"""What can go wrong with a live room, as a tree of errors.

    RoomError
    ├── CannotAsk       these questions cannot be asked on a phone
    ├── WrongMove       a room cannot go from where it is to there
    ├── TooManyRooms    so many rooms are open that no other is
    ├── UnknownRoom     there is no such room
    ├── UnknownPerson   nobody in this room has this id
    ├── RoomFull        so many people are in it that nobody else gets in
    ├── NotNow          the room takes nobody, or no answers, at this moment
    ├── BadRequest      a phone sent something that is none of what it may send
    └── RoomBusy        more waits to be written than can be

Every message is a sentence for the person who sees it: what, where, what to do. What is wrong with
the file of rooms is a `biaslab.runs.StoreError`.
"""

from __future__ import annotations


class RoomError(Exception):
    """Base of everything this package raises on purpose; its text is for the user."""


class CannotAsk(RoomError):
    """These questions cannot be asked on a phone."""


class WrongMove(RoomError):
    """A room cannot go from where it is to there."""


class TooManyRooms(RoomError):
    """So many rooms are open that no other is."""


class UnknownRoom(RoomError):
    """There is no such room."""


class UnknownPerson(RoomError):
    """Nobody in this room has this id."""


class RoomFull(RoomError):
    """So many people are in it that nobody else gets in."""


class NotNow(RoomError):
    """The room takes nobody, or no answers, at this moment."""


class BadRequest(RoomError):
    """A phone sent something that is none of what it may send."""


class RoomBusy(RoomError):
    """More waits to be written than can be; trying again helps."""
