"""Open Bandit Pipeline: estimators from arrays of rounds, variants and places.

Its estimators need none of the libraries that the whole package imports, some of which have no version for the Python
of today; only the modules of the estimators are loaded. Estimated rewards and probabilities are views of small tables,
not the arrays of rounds, variants and places that its own policies and models make.
"""

import importlib
import importlib.util
import sys
import types

import numpy as np

from logged_rows import PLACES, PRIOR, VARIANTS

TAIL = 0.025


def load(name):
    """A module of the package, loaded without what the package imports at first and without torch."""
    for package in ["obp", "obp.ope"]:
        if package not in sys.modules:
            folders = importlib.util.find_spec(package).submodule_search_locations
            sys.modules[package] = types.ModuleType(package)
            sys.modules[package].__path__ = list(folders)
    torch = types.ModuleType("torch")
    torch.Tensor = torch.tensor = type("Tensor", (), {})
    before = sys.modules.setdefault("torch", torch)
    try:
        return importlib.import_module(name)
    finally:
        if before is torch:
            del sys.modules["torch"]


class OpenBanditPipeline:
    module = "obp"
    distribution = "obp"
    note = "in process, arrays in memory"

    def __init__(self, rows, greatest):
        estimators, self.helper = load("obp.ope.estimators"), load("obp.ope.helper")
        count = len(rows["reward"])
        cells = rows["variant"] * PLACES + rows["place"]
        sums = np.bincount(cells, rows["reward"], VARIANTS * PLACES)
        counts = np.bincount(cells, minlength=VARIANTS * PLACES)
        model = ((sums + PRIOR[0]) / (counts + PRIOR[1])).reshape(1, VARIANTS, PLACES)
        target = rows["target"].reshape(1, VARIANTS, 1)
        self.arguments = {
            "reward": rows["reward"], "action": rows["variant"], "position": rows["place"],
            "pscore": rows["propensity"], "action_dist": np.broadcast_to(target, (count, VARIANTS, PLACES)),
            "estimated_rewards_by_reg_model": np.broadcast_to(model, (count, VARIANTS, PLACES)),
        }
        self.estimators = {
            "ips": estimators.InverseProbabilityWeighting(),
            "snips": estimators.SelfNormalizedInverseProbabilityWeighting(),
            "clipped-ips:lambda=2": estimators.InverseProbabilityWeighting(lambda_=2),
            "sub-gaussian-ips:lambda=0.05": estimators.SubGaussianInverseProbabilityWeighting(lambda_=0.05),
            "dm": estimators.DirectMethod(),
            "dr": estimators.DoublyRobust(),
            "sndr": estimators.SelfNormalizedDoublyRobust(),
            "switch-dr:tau=2.5": estimators.SwitchDoublyRobust(lambda_=2.5),
            "dros:lambda=5": estimators.DoublyRobustWithShrinkage(lambda_=5),
            "sub-gaussian-dr:lambda=0.05": estimators.SubGaussianDoublyRobust(lambda_=0.05),
        }
        self.bounds = {
            "student-t": self.helper.estimate_student_t_lower_bound,
            "hoeffding": lambda x, delta: self.helper.estimate_hoeffding_lower_bound(x, None, delta),
            "empirical-bernstein": lambda x, delta: self.helper.estimate_bernstein_lower_bound(x, None, delta),
        }

    @property
    def questions(self):
        return [*self.estimators, *(f"ips {name}" for name in self.bounds)]

    def answer(self, question):
        """A value, or the lower end of an interval at 95 %."""
        estimator, _, interval = question.partition(" ")
        if not interval:
            return [float(self.estimators[estimator].estimate_policy_value(**self.arguments))]
        terms = self.estimators[estimator]._estimate_round_rewards(**self.arguments)
        return [float(self.bounds[interval](terms, delta=TAIL))]
