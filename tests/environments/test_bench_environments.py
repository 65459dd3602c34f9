"""The measurement of environments runs and tells each of them; nothing is timed."""

from itertools import islice

from tests.bench.bench_environments import environment_rates


def test_every_environment_is_measured_against_the_aec_environment() -> None:
    lines = list(islice(environment_rates(turns=1, steps=10, batches=2), 5))
    expected = ["aec", "open_spiel", "vector-1", "vector-64", "vector-1024"]
    assert expected == [line["environment"] for line in lines]
    assert {("muggins", 2)} == {(line["rules"], line["seats"]) for line in lines}
    assert 1 == lines[0]["ratio_to_aec"]
