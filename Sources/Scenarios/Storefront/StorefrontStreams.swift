import Statistics

/// The random streams, one for each purpose, so that a change in one part does not affect the others.
struct StorefrontStreams {
  /// The streams of one experiment.
  struct Experiment {
    var choices, rewards, delays, oddities, amounts: Xoshiro256

    init(seed: UInt64, name: String) {
      let stream = { Xoshiro256(seed: seed, labels: ["storefront", name, $0]) }
      choices = stream("choices")
      rewards = stream("rewards")
      delays = stream("delays")
      oddities = stream("oddities")
      amounts = stream("amounts")
    }
  }

  var gaps, visitors, traits, visits, dataPoints, conversions, prices: Xoshiro256
  var experiments: [Experiment]

  init(seed: UInt64) {
    let stream = { Xoshiro256(seed: seed, labels: ["storefront", $0]) }
    gaps = stream("gaps")
    visitors = stream("visitors")
    traits = stream("traits")
    visits = stream("visits")
    dataPoints = stream("data points")
    conversions = stream("conversions")
    prices = stream("prices")
    experiments = StorefrontExperiment.all.map { Experiment(seed: seed, name: $0.name) }
  }
}

extension Xoshiro256 {
  /// Returns true with a probability of `count` in a thousand.
  mutating func happens(perMille count: Int) -> Bool {
    Int(Draw.integer(below: 1_000, using: &self)) < count
  }

  /// Returns a delay from a few seconds to four hours, half of which are shorter than four minutes.
  mutating func delay() -> Int64 {
    let u = Draw.unit(using: &self)
    let cube = u * u * u
    return 2_000_000 + Int64(14_400_000_000 * cube * cube)
  }

  /// Returns the delay of an event's collection: none, or in 6 % of the cases up to six hours.
  mutating func lateness() -> Int64 {
    guard happens(perMille: 60) else { return 0 }
    let u = Draw.unit(using: &self)
    return 1_000_000 + Int64(21_600_000_000 * u * u)
  }
}
