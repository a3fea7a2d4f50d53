"""Logged decisions with rewards, the same on every machine: in memory for the peers, in a log for Bandolier.

One decision per unit, in one of three places, each with probabilities of its own (softmax) from which the variant is
drawn and logged with its propensity. Rewards are 0 or 1, or real numbers up to 10. The target policy has the same
probabilities in all places.
"""

import subprocess

import numpy as np

VARIANTS = 20
PLACES = 3
SEED = 1
# The greatest reward that is possible; the least is 0.
GREATEST = {"0/1": 1, "real": 10}
# Sum and count of the prior of the tabular reward model.
PRIOR = (1, 250)
MAP = ["time=time", "unit=unit", "slot=place", "variant=variant", "propensity=propensity", "reward=reward"]


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def make(kind, count):
    """The rows as arrays, with the probabilities of the target policy as `target`."""
    rng = np.random.default_rng(SEED)
    logging = softmax(rng.normal(size=(PLACES, VARIANTS)))
    target = softmax(rng.normal(size=VARIANTS))
    means = rng.uniform(0.02, 0.2, VARIANTS)
    place = rng.integers(0, PLACES, count)
    ends = logging.cumsum(axis=1)[place]
    variant = np.minimum((rng.random((count, 1)) >= ends).sum(axis=1), VARIANTS - 1)
    if kind == "0/1":
        reward = (rng.random(count) < means[variant]).astype(float)
    else:
        reward = GREATEST[kind] * rng.beta(10 * means[variant], 10 * (1 - means[variant]))
    return {"place": place, "variant": variant, "propensity": logging[place, variant], "reward": reward,
            "target": target}


def policy(rows):
    """The target policy as a specification of Bandolier."""
    return "weights:" + ";".join(f"v{index}={weight!r}" for index, weight in enumerate(rows["target"].tolist()))


def write_log(bandolier, rows, path):
    """Imports the rows into a log by way of a CSV file; a reward of 0 is no reward in the file."""
    table = path + ".csv"
    columns = [rows[name].tolist() for name in ["place", "variant", "propensity", "reward"]]
    with open(table, "w", encoding="utf-8") as file:
        file.write("time,unit,place,variant,propensity,reward\n")
        for index, (place, variant, propensity, reward) in enumerate(zip(*columns)):
            file.write(f"{1767607200 + index / 1000:.3f},u{index},p{place},v{variant},{propensity!r},{reward or ''}\n")
    command = [bandolier, "import", table, "--log", path, "--experiment", "place", "--progress", "never"]
    subprocess.run(command + [option for field in MAP for option in ["--map", field]], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([bandolier, "log", "compact", path], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
