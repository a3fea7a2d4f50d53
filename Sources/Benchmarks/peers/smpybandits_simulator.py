"""SMPyBandits: objects that learn one reward at a time, from 2020.

It looks for names that SciPy and Numba have since given up. They are put back before it is imported: with them its
divergences are compiled, which makes its KL-UCB some five times as fast.
"""

import contextlib
import io
import random
import sys
import types

import numpy as np

from problems import MEANS, play


def policies_module():
    with contextlib.suppress(ImportError):
        import numba
        old = types.ModuleType("numba.decorators")
        old.jit = numba.jit
        sys.modules.setdefault("numba.decorators", old)
    import scipy.special
    if not hasattr(scipy.special, "btdtri"):
        scipy.special.btdtri = scipy.special.betaincinv
    with contextlib.redirect_stdout(io.StringIO()):
        import SMPyBandits.Policies
    return SMPyBandits.Policies


class SMPyBandits:
    module = "SMPyBandits"
    # What each policy is, where it is not the same as Bandolier's.
    policies = {
        "ucb1": "", "thompson": "", "kl-ucb": "",
        "epsilon-greedy": "exploits the largest sum of rewards, not the largest mean; never explores the last variant",
    }

    @staticmethod
    def version():
        from importlib.metadata import version
        return version("SMPyBandits")

    def run(self, policy, horizon, seed):
        made = policies_module()
        random.seed(seed)
        np.random.seed(seed)
        count = len(MEANS)
        learner = {
            "ucb1": lambda: made.UCB(count), "thompson": lambda: made.Thompson(count),
            "kl-ucb": lambda: made.klUCB(count),
            "epsilon-greedy": lambda: made.EpsilonGreedy(count, epsilon=0.1),
        }[policy]()
        learner.startGame()
        return play(learner.choice, learner.getReward, horizon, seed)
