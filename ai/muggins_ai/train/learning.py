"""Gradients of the two networks and the step of Adam, in single precision and a fixed order.

A network in training is one array of weights: the rows of its inputs, the bias of its hidden units,
the weights of its outputs, the bias of its outputs. Compiled code keeps the order of every sum, so
that a training gives the same weights on each machine.
"""

from typing import Final

from muggins_ai.evaluate.inputs import SMALL
from muggins_ai.policies import random_after

__all__ = [
    "adam",
    "begin_weights",
    "clip_weights",
    "policy_gradient",
    "value_gradient",
]

OUTCOMES: Final = 4
GAINS: Final = 2


def hidden_units(
    weights: list[float],
    rows: int,
    hidden: int,
    inputs: list[int],
    start: int,
    end: int,
    units: list[float],
    at: int,
) -> None:
    """Write the sums of the hidden units of one list of inputs, before they are rectified."""
    bias = rows * hidden
    for unit in range(hidden):
        units[at + unit] = weights[bias + unit]
    for index in range(start, end):
        row = hidden * (inputs[index] & SMALL)
        for unit in range(hidden):
            units[at + unit] += weights[row + unit]


def spread(
    gradient: list[float],
    rows: int,
    hidden: int,
    inputs: list[int],
    start: int,
    end: int,
    slopes: list[float],
) -> None:
    """Add the slopes of the hidden sums to the gradient of the rows that are on and of the bias."""
    bias = rows * hidden
    for unit in range(hidden):
        gradient[bias + unit] += slopes[unit]
    for index in range(start, end):
        row = hidden * (inputs[index] & SMALL)
        for unit in range(hidden):
            gradient[row + unit] += slopes[unit]


def value_gradient(
    weights: list[float],
    gradient: list[float],
    rows: int,
    hidden: int,
    outputs: int,
    stride: int,
    inputs: list[int],
    ends: list[int],
    first: int,
    last: int,
    outcomes: list[float],
    scale: float,
    limit: float,
    one: float,
    units: list[float],
    slopes: list[float],
    found: list[float],
    losses: list[float],
) -> None:
    """Add the gradient of the mean squared error over positions `first` to `last`.

    Outcomes are divided by `scale` and cut at `limit`. `losses` gets the sums of the squared error
    and of the squared outcomes added. `one` is 1 / the number of positions.
    """
    zero = one - one
    tail = rows * hidden + hidden
    last_bias = tail + outputs * hidden
    for position in range(first, last):
        start = stride * position
        end = ends[position]
        hidden_units(weights, rows, hidden, inputs, start, end, units, 0)
        mean = zero
        for output in range(outputs):
            total = weights[last_bias + output]
            for unit in range(hidden):
                total += max(units[unit], zero) * weights[tail + hidden * output + unit]
            found[output] = total
            mean += total
        mean = mean / outputs if outputs > 1 else zero
        for unit in range(hidden):
            slopes[unit] = zero
        for output in range(outputs):
            target = outcomes[OUTCOMES * position + output] / scale
            target = min(max(target, -limit), limit)
            error = found[output] - mean - target
            losses[0] += error * error
            losses[1] += target * target
            error *= one
            gradient[last_bias + output] += error
            at = tail + hidden * output
            for unit in range(hidden):
                gradient[at + unit] += error * max(units[unit], zero)
                slopes[unit] += error * weights[at + unit]
        for unit in range(hidden):
            if units[unit] <= zero:
                slopes[unit] = zero
        spread(gradient, rows, hidden, inputs, start, end, slopes)


def policy_gradient(
    weights: list[float],
    gradient: list[float],
    rows: int,
    hidden: int,
    stride: int,
    inputs: list[int],
    ends: list[int],
    choice_ends: list[int],
    choices: int,
    gains: list[float],
    scale: float,
    limit: float,
    floor: float,
    one: float,
    units: list[float],
    slopes: list[float],
    found: list[float],
    losses: list[float],
) -> None:
    """Add the gradient of the error in what moves are worth beside each other.

    A move counts by its chance, raised by `floor`. `losses` gets the sums over choices of the
    weighted squared error, of the same with all moves equal, and of the points lost by taking the
    highest logit, all as the true worlds had it.
    """
    zero = one - one
    tail = rows * hidden + hidden
    first = 0
    for choice in range(choices):
        last = choice_ends[choice]
        number = last - first
        mean_found = zero
        mean_gain = zero
        best = 0
        for index in range(number):
            move = first + index
            at = hidden * index
            hidden_units(weights, rows, hidden, inputs, stride * move, ends[move], units, at)
            total = zero
            for unit in range(hidden):
                total += max(units[at + unit], zero) * weights[tail + unit]
            found[index] = total
            if total > found[best]:
                best = index
            weight = (gains[GAINS * move + 1] + floor / number) / (1 + floor)
            mean_found += weight * total
            mean_gain += weight * gains[GAINS * move] / scale
        losses[2] += gains[GAINS * (first + best)]
        for index in range(number):
            move = first + index
            at = hidden * index
            weight = (gains[GAINS * move + 1] + floor / number) / (1 + floor)
            target = gains[GAINS * move] / scale - mean_gain
            target = min(max(target, -limit), limit)
            error = found[index] - mean_found - target
            losses[0] += weight * error * error
            losses[1] += weight * target * target
            error *= weight * one
            for unit in range(hidden):
                slopes[unit] = zero
                if units[at + unit] > zero:
                    gradient[tail + unit] += error * units[at + unit]
                    slopes[unit] = error * weights[tail + unit]
            spread(gradient, rows, hidden, inputs, stride * move, ends[move], slopes)
        first = last


def adam(
    weights: list[float],
    gradient: list[float],
    first: list[float],
    second: list[float],
    size: int,
    rate: float,
    keep_first: float,
    keep_second: float,
    tiny: float,
    shrinking: float,
    one: float,
) -> None:
    """One step of Adam over all weights, which shrink by `shrinking` besides; empties the gradient.

    `rate` has the correction of the early steps in it already. Kingma and Ba 2015; Loshchilov and
    Hutter 2019.
    """
    zero = one - one
    rest_first = one - keep_first
    rest_second = one - keep_second
    for index in range(size):
        slope = gradient[index]
        first[index] = keep_first * first[index] + rest_first * slope
        second[index] = keep_second * second[index] + rest_second * slope * slope
        step = rate * first[index] / (second[index] ** 0.5 + tiny)
        weights[index] -= step + shrinking * weights[index]
        gradient[index] = zero


def clip_weights(weights: list[float], size: int, most: float) -> None:
    """Keep the first `size` weights between -most and most."""
    for index in range(size):
        weights[index] = min(max(weights[index], -most), most)


def begin_weights(
    weights: list[float], rows: int, hidden: int, outputs: int, spread_by: float, state: list[int]
) -> None:
    """Write small weights at random, evenly between -spread_by and spread_by; bias of 0."""
    size = (rows + 1) * hidden + outputs * (hidden + 1)
    for index in range(size):
        state[0] = random_after(state[0])
        weights[index] = ((state[0] >> 8) - 8388608) * spread_by / 8388608
    for unit in range(hidden):
        weights[unit] = 0.0
        weights[rows * hidden + unit] = 0.0
    for output in range(outputs):
        weights[(rows + 1) * hidden + outputs * hidden + output] = 0.0
