"""XML of strangers, read without document types and entities."""

from __future__ import annotations

from xml.etree import ElementTree as Tree

import defusedxml.ElementTree as SafeTree
from defusedxml import DefusedXmlException


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
