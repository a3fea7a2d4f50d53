"""MABWiser: made for learning from many decisions at once, here given one at a time."""

import numpy as np

from problems import MEANS, VARIANTS, play, play_linear


class MABWiser:
    module = "mabwiser"
    # What each policy is, where it is not the same as Bandolier's.
    policies = {"ucb1": "", "epsilon-greedy": "", "thompson": "", "linucb": ""}

    @staticmethod
    def version():
        from importlib.metadata import version
        return version("mabwiser")

    def run(self, policy, horizon, seed):
        from mabwiser.mab import MAB, LearningPolicy
        rule = {
            "ucb1": lambda: LearningPolicy.UCB1(alpha=1),
            "epsilon-greedy": lambda: LearningPolicy.EpsilonGreedy(epsilon=0.1),
            "thompson": lambda: LearningPolicy.ThompsonSampling(),
            "linucb": lambda: LearningPolicy.LinUCB(alpha=1, l2_lambda=1),
        }[policy]()
        count = VARIANTS if policy == "linucb" else len(MEANS)
        learner = MAB(list(range(count)), rule, seed=seed)
        # Nothing can be asked before the first `fit`. Variants never chosen count as having an index of 0, therefore
        # each is chosen once first where the policy has no prior.
        start = np.random.default_rng(seed).permutation(count).tolist()
        if policy in ["thompson", "linucb"]:
            del start[1:]

        told = []

        def choose(*context):
            return start[0] if start else learner.predict(*context)

        def learn(variant, *rest):
            *context, reward = rest
            learns = learner.partial_fit if told else learner.fit
            learns([variant], [reward], *context)
            told.append(variant)
            del start[:1]

        if policy == "linucb":
            return play_linear(choose, learn, horizon, seed, lambda context: context.reshape(1, -1))
        return play(choose, learn, horizon, seed)
