"""The statistics of the timing gate against scipy, on random samples.

Usage: statistics_oracle.py [PATH-OF-TRACEDEV] [--seed N]; without a path the release build is used.
"""

import argparse
import json
import os
import subprocess
import sys

import numpy
import scipy.stats

COUNT = 1_000


def samples(random):
    """Sizes from 1 to 60, with and without ties, shifted and not, narrow, wide and long-tailed."""
    size = lambda: int(random.choice([random.integers(1, 9), random.integers(8, 61)]))
    noise = random.choice([0.005, 0.05, 0.5])
    shift = random.choice([1.0, 1.0, 1.02, 1.06, 1.1, 1.5, 0.8])
    unit = int(random.choice([1, 1, 1_000_000, 50_000_000]))
    base = random.choice([5e7, 1e9, 4e9])
    draw = random.normal if random.random() < 0.7 else \
        lambda mean, deviation, count: mean + random.exponential(deviation, count)

    def one(factor):
        values = draw(base * factor, base * noise, size())
        return [max(0, int(value) // unit * unit) for value in values]
    return one(1.0), one(shift)


class SplitMix:
    """Written from the paper, for many draws at once."""

    def __init__(self, state):
        self.state = numpy.uint64(state)

    def below(self, bound, count):
        step = numpy.uint64(0x9E3779B97F4A7C15)
        with numpy.errstate(over="ignore"):
            states = self.state + step * numpy.arange(1, count + 1, dtype=numpy.uint64)
            self.state = states[-1]
            mixed = (states ^ (states >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> numpy.uint64(31)
            # The upper half of the product with the bound, which is below 2**32.
            low = (mixed & numpy.uint64(0xFFFFFFFF)) * numpy.uint64(bound)
            high = (mixed >> numpy.uint64(32)) * numpy.uint64(bound) + (low >> numpy.uint64(32))
        return (high >> numpy.uint64(32)).astype(numpy.int64)


def interval(reference, candidate):
    random = SplitMix(0x7472616365636865)
    reference, candidate = numpy.sort(reference), numpy.sort(candidate)
    count = len(reference) + len(candidate)
    draws = 2_000
    # Draws alternate between the samples, whose bounds differ.
    differences = numpy.empty(draws)
    for place in range(draws):
        first = numpy.median(reference[random.below(len(reference), len(reference))])
        second = numpy.median(candidate[random.below(len(candidate), len(candidate))])
        differences[place] = second - first
    differences.sort()
    return differences[10], differences[draws - 11]


def expected_decision(row, adjusted, opposite, reference):
    size = max(20e6, 0.05 * numpy.median(reference))
    lower, upper = row["interval"]
    if adjusted < 0.01 and lower > 0 and row["shift"] > size:
        return "slower"
    if opposite < 0.01 and upper < 0 and row["shift"] < -size:
        return "faster"
    return "unchanged"


def chance(greater, smaller):
    is_tied = len(set(greater) | set(smaller)) < len(greater) + len(smaller)
    is_exact = min(len(greater), len(smaller)) <= 8 and not is_tied
    if len(set(greater) | set(smaller)) == 1:
        return 1.0, False
    test = scipy.stats.mannwhitneyu(
        greater, smaller, alternative="greater", use_continuity=True,
        method="exact" if is_exact else "asymptotic")
    return float(test.pvalue), is_exact


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", nargs="?")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tool = arguments.tool
    if not tool:
        from executable import release_build
        tool = release_build("tracedev")
    random = numpy.random.default_rng(arguments.seed)
    pairs = [samples(random) for _ in range(COUNT)]
    text = "".join(json.dumps(pair) + "\n" for pair in pairs)
    done = subprocess.run(
        [os.path.abspath(tool), "statistics", "samples"], input=text, capture_output=True,
        text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == COUNT, len(rows)
    tested = [place for place, (a, b) in enumerate(pairs) if min(len(a), len(b)) >= 8]
    chances = [chance(b, a) for a, b in pairs]
    opposites = [chance(a, b)[0] for a, b in pairs]
    adjusted = dict(zip(tested, scipy.stats.false_discovery_control(
        [chances[place][0] for place in tested], method="bh")))
    opposite = dict(zip(tested, scipy.stats.false_discovery_control(
        [opposites[place] for place in tested], method="bh")))
    worst = {"p": 0.0, "adjusted": 0.0, "shift": 0.0}
    decisions, exact = {}, 0
    for place, ((reference, candidate), row) in enumerate(zip(pairs, rows)):
        p, is_exact = chances[place]
        assert row["exact"] == is_exact, (place, row)
        exact += is_exact
        worst["p"] = max(worst["p"], abs(row["p"] - p))
        decisions[row["decision"]] = decisions.get(row["decision"], 0) + 1
        if place not in adjusted:
            assert row["decision"] == "inconclusive", (place, row)
            continue
        worst["adjusted"] = max(worst["adjusted"], abs(row["adjusted"] - adjusted[place]))
        shift = numpy.median(numpy.subtract.outer(candidate, reference))
        worst["shift"] = max(worst["shift"], abs(row["shift"] - shift))
        if place % 4 == 0:
            lower, upper = interval(reference, candidate)
            assert (row["interval"][0], row["interval"][1]) == (lower, upper), (place, row)
        wanted = expected_decision(row, adjusted[place], opposite[place], reference)
        assert row["decision"] == wanted, (place, row, wanted)
    print(f"{COUNT} samples, {exact} counted exactly, {len(tested)} tested; greatest difference"
          f" of p {worst['p']:.1e}, corrected {worst['adjusted']:.1e}, shift {worst['shift']} ns")
    print("decisions, all equal:", ", ".join(f"{n} {k}" for k, n in sorted(decisions.items())))
    assert worst["p"] < 1e-6 and worst["adjusted"] < 1e-6 and worst["shift"] == 0
    assert all(decisions.get(word, 0) > 10 for word in ("slower", "faster", "unchanged"))


if __name__ == "__main__":
    sys.exit(main())
