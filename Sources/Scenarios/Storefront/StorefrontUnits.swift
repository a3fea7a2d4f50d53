import Statistics

/// The permanent traits of a unit.
struct UnitTraits {
  /// A name with the percentage of units that have it.
  typealias Share = (name: String, percent: Int)

  static let devices: [Share] = [("phone", 55), ("desktop", 35), ("tablet", 10)]
  static let countries: [Share] = [
    ("US", 30), ("DE", 18), ("GB", 14), ("FR", 12), ("JP", 10), ("BR", 8), ("IN", 5), ("CA", 3),
  ]
  static let plans: [Share] = [("free", 70), ("plus", 20), ("pro", 10)]
  static let interests: [Share] = [
    ("shoes", 35), ("outdoor", 25), ("books", 20), ("kitchen", 15), ("music", 5),
  ]

  /// Indices of ``devices``, ``countries``, ``plans`` and ``interests``.
  let device, country, plan, interest: UInt8
  /// The age in years, from 18 to 80, mostly young.
  let age: UInt8
  /// The relative rate at which the unit returns, from 0.04 to 1.
  let activity: Double

  init(using generator: inout Xoshiro256) {
    device = Self.draw(Self.devices, using: &generator)
    country = Self.draw(Self.countries, using: &generator)
    plan = Self.draw(Self.plans, using: &generator)
    interest = Self.draw(Self.interests, using: &generator)
    let u = Draw.unit(using: &generator)
    age = UInt8(18 + 62.0 * u * u)
    let v = Draw.unit(using: &generator)
    activity = 0.04 + 0.96 * v * v * v
  }

  private static func draw(_ shares: [Share], using generator: inout Xoshiro256) -> UInt8 {
    var rest = Int(Draw.integer(below: 100, using: &generator))
    var index = 0
    while index < shares.count - 1, rest >= shares[index].percent {
      rest -= shares[index].percent
      index += 1
    }
    return UInt8(index)
  }
}

/// A unit and its state in the experiments.
struct StorefrontUnit {
  /// The state of a unit in one experiment.
  struct Track {
    /// The time at which the goal of the last decision happens or would have happened, or 0.
    var busyUntil: Int64 = 0
    /// The propensity of the last decision of an adaptive logger.
    var propensity: Double = 0
    /// The variants of the last decision, by slot.
    var first: UInt8 = 0, second: UInt8 = 0
    /// Whether there was a decision.
    var isDecided = false
    /// Whether a decision was made that will never be confirmed.
    var isHeld = false
    /// Whether the last decision counts.
    var counts = false
  }

  /// The number in its name, from 1 up.
  let number: Int
  let traits: UnitTraits
  var visits = 1
  var hasSignedUp = false
  /// By the index of the experiment.
  var tracks = InlineArray<4, Track>(repeating: Track())
}

/// The units that may return: the most recent arrivals.
///
/// Memory: 136 bytes for each of at most 65,536 units.
struct StorefrontUnits {
  static let window = 65_536

  /// The number of units that have arrived so far.
  private(set) var arrived = 0

  /// The units in the window, each at a position that it keeps until another one replaces it.
  var recent: [StorefrontUnit] = []

  /// Adds a new unit and returns its position.
  mutating func arrive(using generator: inout Xoshiro256) -> Int {
    let unit = StorefrontUnit(number: arrived + 1, traits: UnitTraits(using: &generator))
    let position = arrived % Self.window
    arrived += 1
    if position < recent.count { recent[position] = unit } else { recent.append(unit) }
    return position
  }

  /// Chooses a returning unit, preferring recent and active ones, and returns its position. There must be at least
  /// one.
  mutating func comeBack(using generator: inout Xoshiro256) -> Int {
    var position = 0
    for _ in 0..<4 {
      let u = Draw.unit(using: &generator)
      let age = Int(Double(recent.count) * u * u)
      position = (arrived - 1 - min(age, recent.count - 1)) % Self.window
      if Draw.unit(using: &generator) < recent[position].traits.activity { break }
    }
    recent[position].visits += 1
    return position
  }
}
