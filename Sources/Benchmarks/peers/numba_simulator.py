"""Plain loops for each policy, compiled by Numba: what one would write without a library."""

from math import exp, inf, log, sqrt

import numpy as np

from problems import FEATURES, MEANS, linear

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
    """The divergence of Bernoulli distributions, q above 0."""
    if q >= 1:
        return inf if p < 1 else 0.0
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
def choose_ucb1(step, horizon, counts, sums, index):
    level = 2 * log(step)
    for variant in range(len(counts)):
        index[variant] = sums[variant] / counts[variant] + sqrt(level / counts[variant])
    return largest(index)


@njit
def choose_ucb1_tuned(step, horizon, counts, sums, index):
    level = log(step)
    for variant in range(len(counts)):
        # Rewards are 0 or 1, so the mean of their squares is their mean.
        mean, ratio = sums[variant] / counts[variant], level / counts[variant]
        index[variant] = mean + sqrt(ratio * min(0.25, mean - mean * mean + sqrt(2 * ratio)))
    return largest(index)


@njit
def choose_ucb_v(step, horizon, counts, sums, index):
    level = log(step)
    for variant in range(len(counts)):
        mean, ratio = sums[variant] / counts[variant], level / counts[variant]
        index[variant] = mean + sqrt(2 * (mean - mean * mean) * ratio) + 3 * ratio
    return largest(index)


@njit
def choose_moss(step, horizon, counts, sums, index):
    for variant in range(len(counts)):
        excess = log(step / (len(counts) * counts[variant]))
        index[variant] = sums[variant] / counts[variant] + sqrt(max(0.0, excess) / counts[variant])
    return largest(index)


@njit
def choose_epsilon_greedy(step, horizon, counts, sums, index):
    if np.random.random() < 0.1:
        return int(np.random.random() * len(counts))
    for variant in range(len(counts)):
        index[variant] = sums[variant] / counts[variant]
    return largest(index)


@njit
def choose_softmax(step, horizon, counts, sums, index):
    best = 0.0
    for variant in range(len(counts)):
        index[variant] = sums[variant] / counts[variant] if counts[variant] > 0 else 0.0
        best = max(best, index[variant])
    total = 0.0
    for variant in range(len(counts)):
        index[variant] = exp((index[variant] - best) / 0.1)
        total += index[variant]
    rest = np.random.random() * total
    for variant in range(len(counts)):
        if rest < index[variant]:
            return variant
        rest -= index[variant]
    return len(counts) - 1


@njit
def choose_etc(step, horizon, counts, sums, index):
    fewest, most = 0, 0
    for variant in range(len(counts)):
        if counts[variant] < counts[fewest]:
            fewest = variant
        if counts[variant] > counts[most]:
            most = variant
    if counts[fewest] < 100:
        return fewest
    if counts[most] > 100:
        return most
    for variant in range(len(counts)):
        index[variant] = sums[variant] / counts[variant]
    return largest(index)


@njit
def choose_thompson(step, horizon, counts, sums, index):
    for variant in range(len(counts)):
        index[variant] = np.random.beta(1 + sums[variant], 1 + counts[variant] - sums[variant])
    return largest(index)


@njit
def choose_kl_ucb(step, horizon, counts, sums, index):
    level = log(step)
    for variant in range(len(counts)):
        index[variant] = kl_bound(sums[variant] / counts[variant], level / counts[variant])
    return largest(index)


@njit
def choose_kl_ucb_plus(step, horizon, counts, sums, index):
    for variant in range(len(counts)):
        index[variant] = kl_bound(sums[variant] / counts[variant], log(step / counts[variant]) / counts[variant])
    return largest(index)


@njit
def choose_kl_ucb_plus_plus(step, horizon, counts, sums, index):
    for variant in range(len(counts)):
        x = horizon / (len(counts) * counts[variant])
        excess = max(0.0, log(x))
        level = max(0.0, log(x * (1 + excess * excess)))
        index[variant] = kl_bound(sums[variant] / counts[variant], level / counts[variant])
    return largest(index)


@njit
def choose_imed(step, horizon, counts, sums, index):
    best = 0.0
    for variant in range(len(counts)):
        best = max(best, sums[variant] / counts[variant])
    for variant in range(len(counts)):
        mean = sums[variant] / counts[variant]
        divergence = kl(mean, best) if mean < best else 0.0
        index[variant] = -(counts[variant] * divergence + log(counts[variant]))
    return largest(index)


# Policies that choose each variant once before anything else, and those that do not.
STARTING = {"ucb1": choose_ucb1, "ucb1-tuned": choose_ucb1_tuned, "ucb-v": choose_ucb_v, "moss": choose_moss,
            "epsilon-greedy": choose_epsilon_greedy, "kl-ucb": choose_kl_ucb, "kl-ucb-plus": choose_kl_ucb_plus,
            "kl-ucb++": choose_kl_ucb_plus_plus, "imed": choose_imed}
OTHERS = {"thompson": choose_thompson, "softmax": choose_softmax, "etc": choose_etc}


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
                variant = choose(step, horizon, counts, sums, index)
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
    policies = {name: "" for name in [*STARTING, *OTHERS, "linucb"]}
    loops = {}

    @staticmethod
    def version():
        import numba
        return numba.__version__

    def run(self, policy, horizon, seed, means=MEANS, features=FEATURES):
        seed_generator(seed)
        if policy == "linucb":
            return run_linucb(*linear(horizon, np.random.default_rng(seed), features))
        if policy not in self.loops:
            self.loops[policy] = loop(STARTING.get(policy) or OTHERS[policy], policy in STARTING)
        return self.loops[policy](means, horizon)
