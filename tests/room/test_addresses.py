"""Where phones join."""

from __future__ import annotations

from ipaddress import ip_address
from xml.etree import ElementTree

import pytest

from biaslab.models.server.addresses import addresses_here
from biaslab.room import BadRequest, join_address, qr_svg


def test_addresses_are_those_that_a_phone_may_reach() -> None:
    for each in addresses_here():
        assert not ip_address(each).is_loopback
        assert not ip_address(each).is_link_local


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.168.1.20:8501", "HTTP://192.168.1.20:8501/R/ABCD"),
        ("http://lab.local:8501/", "HTTP://LAB.LOCAL:8501/R/ABCD"),
        ("https://lab.example.org", "HTTPS://LAB.EXAMPLE.ORG/R/ABCD"),
    ],
)
def test_an_address_to_join_is_in_capitals(host: str, address: str) -> None:
    assert join_address(host, "abcd") == address


@pytest.mark.parametrize("host", ["", "http://", "a b", "lab/x", "ftp://lab", "lab?x", "a@b"])
def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(BadRequest, match="no host"):
        join_address(host, "ABCD")


@pytest.mark.parametrize("code", ["", "ABC", "ABCDE", "ABCO", "AB1D"])
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(BadRequest, match="no code"):
        join_address("lab", code)


def test_a_qr_code_of_an_address_in_capitals_has_25_squares_a_side_and_a_margin() -> None:
    drawn = qr_svg(join_address("192.168.1.20:8501", "ABCD"))
    found = ElementTree.fromstring(drawn)
    assert found.get("viewBox") == "0 0 33 33"
    assert "http://" not in drawn.replace("http://www.w3.org/2000/svg", "")
