"""river: objects that learn one reward at a time."""

from problems import MEANS, VARIANTS, play, play_linear


class River:
    module = "river"
    # What each policy is, where it is not the same as Bandolier's.
    policies = {
        "ucb1": "", "epsilon-greedy": "", "thompson": "",
        "linucb": "the bonus is sqrt(1 + x A^-1 x), that of a reward and not of its mean",
    }

    @staticmethod
    def version():
        import river
        return river.__version__

    def run(self, policy, horizon, seed):
        from river import bandit, proba
        if policy == "linucb":
            learner = bandit.LinUCBDisjoint(alpha=1, beta=1, seed=seed)
            variants = list(range(VARIANTS))
            return play_linear(lambda context: learner.pull(variants, context), learner.update, horizon, seed,
                               lambda context: dict(enumerate(context.tolist())))
        learner = {
            "ucb1": lambda: bandit.UCB(delta=1, seed=seed),
            # Without burn_in, variants never chosen count as having a mean of 0.
            "epsilon-greedy": lambda: bandit.EpsilonGreedy(epsilon=0.1, burn_in=1, seed=seed),
            "thompson": lambda: bandit.ThompsonSampling(reward_obj=proba.Beta(1, 1), seed=seed),
        }[policy]()
        variants = list(range(len(MEANS)))
        return play(lambda: learner.pull(variants), learner.update, horizon, seed)
