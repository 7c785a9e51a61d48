"""Zip files and XML of strangers, opened within limits; zip files written the same every time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from xml.etree import ElementTree as Tree

import defusedxml.ElementTree as SafeTree
from defusedxml import DefusedXmlException

from biaslab.files.errors import MAX_UNPACKED_BYTES, InterchangeError

# A zip file keeps times and the system it was made on; the same content gives the same bytes.
_TIME = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


@contextmanager
def open_package(data: bytes, what: str, most: int) -> Iterator[zipfile.ZipFile]:
    """A zip file that is no zip bomb. Whatever is damaged in it becomes a sentence.

    Args:
        data: its content.
        what: it is called in sentences, such as ``spreadsheet``.
        most: files that it may hold.

    Raises:
        InterchangeError: it holds too much, or is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            members = package.infolist()
            if len(members) > most:
                raise InterchangeError(
                    f"The {what} holds {len(members)} files; the limit is {most}."
                )
            # zipfile reads no more of a member than is said here, whatever is packed.
            size = sum(member.file_size for member in members)
            if size > MAX_UNPACKED_BYTES:
                raise InterchangeError(
                    f"Unpacked, the {what} would have {size // 2**20:,} MiB; the limit is "
                    f"{MAX_UNPACKED_BYTES // 2**20} MiB."
                )
            yield package
    except InterchangeError:
        raise
    # zipfile raises these and more for damaged files: wrong sums, encryption, unknown methods.
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, EOFError) as error:
        raise InterchangeError(f"The {what} is damaged or cut off ({error}).") from error
    except Exception as error:  # zlib.error, lzma.LZMAError: no common base
        raise InterchangeError(f"The {what} cannot be unpacked ({error}).") from error


def write_package(members: Mapping[str, bytes]) -> bytes:
    """A zip file of these files, in their order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, content in members.items():
            member = zipfile.ZipInfo(name, _TIME)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = _UNIX
            package.writestr(member, content)
    return out.getvalue()


class XmlRefused(Exception):
    """XML that is not read; the message is a clause."""


def parse_xml(data: bytes) -> Tree.Element:
    """The root of an XML file.

    Raises:
        XmlRefused: it is not well formed, or it declares a document type or entities.
    """
    try:
        root: Tree.Element = SafeTree.fromstring(data, forbid_dtd=True)
    except DefusedXmlException as error:
        raise XmlRefused(
            "it declares a document type (DOCTYPE) or entities, which such a file never needs and "
            "which can be used to attack the reader"
        ) from error
    except Tree.ParseError as error:
        line, column = error.position
        raise XmlRefused(
            f"it is no well-formed XML: {str(error).partition(':')[0]} at line {line}, "
            f"column {column + 1}; the file may be cut off"
        ) from error
    except (ValueError, LookupError) as error:
        raise XmlRefused(f"its encoding cannot be read: {error}") from error
    return root
