"""The problems that simulators are given: nine variants with Bernoulli rewards, and linear rewards with a context.

A library only chooses and learns; rewards are drawn here, many at a time, so that little of what is measured is ours.
"""

import numpy as np

HORIZON = 10_000
# bernoulli:means=0.1;0.2;0.3;0.4;0.5;0.6;0.7;0.8;0.9
MEANS = np.arange(1, 10) / 10
# linear:variants=9,features=10,noise=0.1
VARIANTS, FEATURES, NOISE = 9, 10, 0.1
# The numbers of variants and of features of the comparison with plain loops; SimulateSteps.swift has the same.
SIZES, WIDTHS = [2, 9, 64], [10, 50]
POLICIES = ["ucb1", "epsilon-greedy", "thompson", "kl-ucb", "linucb"]


def spread(count):
    """Means at equal distances from 0.1 to 0.9, where the best variant stays ahead: the problem that suits shortcuts."""
    return [round(0.1 + 0.8 * place / (count - 1), 4) for place in range(count)]


def low(count):
    """Rates of 1, 2 and 5 % in turn, and one of 10 %, where the choice changes often."""
    return [[0.01, 0.02, 0.05][place % 3] for place in range(count - 1)] + [0.1]


def near(count):
    """Equal means, and one that is hardly better, where indices stay close to each other."""
    return [0.5] * (count - 1) + [0.51]


PROBLEMS = {"spread": spread, "low": low, "near": near}


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def linear(horizon, random, features=FEATURES):
    """Contexts, the mean reward of each variant at each step, and the rewards."""
    weights = unit(random.normal(size=(VARIANTS, features)))
    contexts = unit(random.normal(size=(horizon, features)))
    means = contexts @ weights.T
    return contexts, means, means + NOISE * random.normal(size=means.shape)


def play(choose, learn, horizon, seed):
    """The regret of a run without context."""
    rewards = (np.random.default_rng(seed).random((horizon, len(MEANS))) < MEANS).astype(int).tolist()
    counts = np.zeros(len(MEANS))
    for step in range(horizon):
        variant = choose()
        counts[variant] += 1
        learn(variant, rewards[step][variant])
    return float(counts @ (MEANS.max() - MEANS))


def play_linear(choose, learn, horizon, seed, as_context):
    """The regret of a run with contexts, which a library gets as `as_context` makes them."""
    contexts, means, rewards = linear(horizon, np.random.default_rng(seed))
    regret = 0.0
    for step in range(horizon):
        context = as_context(contexts[step])
        variant = choose(context)
        regret += means[step].max() - means[step, variant]
        learn(variant, context, float(rewards[step, variant]))
    return float(regret)
