"""Plain loops for each policy, compiled by Numba: what one would write without a library."""

from math import log, sqrt

import numpy as np

from problems import MEANS, linear

try:
    from numba import njit
except ImportError:  # The comparison says that it is left out.
    def njit(function):
        return function


@njit
def largest(numbers):
    """The place of the largest number; ties are broken at random."""
    best, ties = 0, 1
    for place in range(1, len(numbers)):
        if numbers[place] > numbers[best]:
            best, ties = place, 1
        elif numbers[place] == numbers[best]:
            ties += 1
            if np.random.random() * ties < 1:
                best = place
    return best


@njit
def kl(p, q):
    """The divergence of Bernoulli distributions, q within 0 and 1."""
    result = 0.0
    if p > 0:
        result += p * log(p / q)
    if p < 1:
        result += (1 - p) * log((1 - p) / (1 - q))
    return result


@njit
def kl_bound(mean, level):
    """The largest q whose divergence is no larger than the level, by bisection to 1e-6."""
    low, high = mean, min(1.0, mean + sqrt(level / 2))
    while high - low > 1e-6:
        middle = (low + high) / 2
        if kl(mean, middle) > level:
            high = middle
        else:
            low = middle
    return (low + high) / 2


@njit
def seed_generator(seed):
    np.random.seed(seed)


@njit
def choose_ucb1(step, counts, sums, index):
    for variant in range(len(counts)):
        index[variant] = sums[variant] / counts[variant] + sqrt(2 * log(step) / counts[variant])
    return largest(index)


@njit
def choose_epsilon_greedy(step, counts, sums, index):
    if np.random.random() < 0.1:
        return int(np.random.random() * len(counts))
    for variant in range(len(counts)):
        index[variant] = sums[variant] / counts[variant]
    return largest(index)


@njit
def choose_thompson(step, counts, sums, index):
    for variant in range(len(counts)):
        index[variant] = np.random.beta(1 + sums[variant], 1 + counts[variant] - sums[variant])
    return largest(index)


@njit
def choose_kl_ucb(step, counts, sums, index):
    for variant in range(len(counts)):
        index[variant] = kl_bound(sums[variant] / counts[variant], log(step) / counts[variant])
    return largest(index)


def loop(choose, starts):
    """A loop around a choice; `starts` for each variant once first."""
    @njit
    def run(means, horizon):
        count = len(means)
        counts, sums, index = np.zeros(count), np.zeros(count), np.zeros(count)
        regret, best = 0.0, means.max()
        order = np.random.permutation(count)
        for step in range(horizon):
            if starts and step < count:
                variant = order[step]
            else:
                variant = choose(step, counts, sums, index)
            reward = 1.0 if np.random.random() < means[variant] else 0.0
            counts[variant] += 1
            sums[variant] += reward
            regret += best - means[variant]
        return regret
    return run


@njit
def run_linucb(contexts, means, rewards):
    horizon, size = contexts.shape
    count = means.shape[1]
    inverse = np.zeros((count, size, size))
    for variant in range(count):
        for place in range(size):
            inverse[variant, place, place] = 1.0
    sums, weights = np.zeros((count, size)), np.zeros((count, size))
    product, index = np.zeros(size), np.zeros(count)
    regret = 0.0
    for step in range(horizon):
        x = contexts[step]
        for variant in range(count):
            mean, spread = 0.0, 0.0
            for i in range(size):
                mean += weights[variant, i] * x[i]
                part = 0.0
                for j in range(size):
                    part += inverse[variant, i, j] * x[j]
                spread += part * x[i]
            index[variant] = mean + sqrt(spread)
        chosen = largest(index)
        regret += means[step].max() - means[step, chosen]
        # The inverse after another observation, by Sherman and Morrison.
        divisor = 1.0
        for i in range(size):
            product[i] = 0.0
            for j in range(size):
                product[i] += inverse[chosen, i, j] * x[j]
            divisor += product[i] * x[i]
        for i in range(size):
            sums[chosen, i] += rewards[step, chosen] * x[i]
            for j in range(size):
                inverse[chosen, i, j] -= product[i] * product[j] / divisor
        for i in range(size):
            weights[chosen, i] = 0.0
            for j in range(size):
                weights[chosen, i] += inverse[chosen, i, j] * sums[chosen, j]
    return regret


class Numba:
    module = "numba"
    policies = {"ucb1": "", "epsilon-greedy": "", "thompson": "", "kl-ucb": "", "linucb": ""}
    loops = {}

    @staticmethod
    def version():
        import numba
        return numba.__version__

    def run(self, policy, horizon, seed):
        seed_generator(seed)
        if policy == "linucb":
            return run_linucb(*linear(horizon, np.random.default_rng(seed)))
        if policy not in self.loops:
            choose = {"ucb1": choose_ucb1, "epsilon-greedy": choose_epsilon_greedy, "thompson": choose_thompson,
                      "kl-ucb": choose_kl_ucb}[policy]
            self.loops[policy] = loop(choose, policy != "thompson")
        return self.loops[policy](MEANS, horizon)
