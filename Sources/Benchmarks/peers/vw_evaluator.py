"""vw-estimators: objects that are told one decision at a time, in pure Python."""

import importlib

MODULES = {
    "ips": "ips", "snips": "snips", "cressie-read": "cressieread", "empirical-likelihood": "mle",
    "ips normal": "gaussian", "ips clopper-pearson": "clopper_pearson", "ips cressie-read": "cressieread",
}


class VWEstimators:
    module = "estimators"
    distribution = "vw-estimators"
    note = "in process, lists in memory"

    questions = list(MODULES)

    def __init__(self, rows, greatest):
        self.greatest = greatest
        columns = [rows["propensity"], rows["reward"], rows["target"][rows["variant"]]]
        self.rows = list(zip(*(column.tolist() for column in columns)))

    def answer(self, question):
        """A value, or both ends of an interval at 95 %."""
        source = importlib.import_module("estimators.bandits." + MODULES[question])
        interval = question.partition(" ")[2]
        if interval in ["clopper-pearson", "cressie-read"]:
            made = source.Interval(rmin=0, rmax=self.greatest)
        else:
            made = source.Interval() if interval else source.Estimator()
        add = made.add_example
        for propensity, reward, probability in self.rows:
            add(propensity, reward, probability)
        return [float(end) for end in made.get(0.05)] if interval else [float(made.get())]
