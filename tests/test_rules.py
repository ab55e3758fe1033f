"""Every rule is tested, and the table that says so is current."""

from tests import rules


def test_every_rule_is_spoken_of_or_has_a_reason():
    assert rules.missing() == []


def test_no_reason_is_given_for_a_rule_that_is_tested():
    assert not rules.UNTESTED.keys() & rules.spoken_of().keys()


def test_the_table_is_current():
    assert rules.PAGE.read_text(encoding="utf-8") == rules.page(), "run make rules"
