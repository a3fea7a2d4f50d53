import Events
import Statistics

/// Synthetic journeys of units through experiments, for benchmarks of processing by unit: a given number of events
/// over 60 days, most of them decisions, with 2 to 5 variants each and the propensity of the chosen one.
///
/// - One decision in five is followed by 0 to 2 goals of its unit and experiment within six hours; one event in 50
///   is a goal without a decision of its own, one in 50 a conversion.
/// - Units return at random, some much more often than others.
/// - Propensities of every other experiment change daily.
/// - One event in a hundred is late, by up to two hours. One goal in a hundred has exactly the time of its decision,
///   and one in 500 is followed by a decision at its own time, so that positions have to break ties.
///
/// The same count and seed give the same events. Memory does not grow with the events, except for those of six hours:
/// 60 bytes for a hundredth of all events.
struct JourneyEvents {
  /// An event that an earlier one causes.
  private struct Sequel {
    var isGoal: Bool
    var unit: Int
    var experiment: Int
    /// Its own time; nil for the time at which it is written.
    var time: Int64?
  }

  static let start: Int64 = 1_767_225_600_000_000
  private static let days = 60
  private static let dayMicros: Int64 = 86_400_000_000

  /// The number of events over the 60 days.
  let count: Int
  private let names: JourneyNames
  private var allocations: JourneyAllocations
  private var random: SplitMix64
  private var index = 0
  /// The sequels of the events to come, by the lowest bits of their index.
  private var sequels: [Sequel?]
  private let longestLag: Int

  init(count: Int, seed: UInt64, names: JourneyNames = JourneyNames()) {
    self.count = max(1, count)
    self.names = names
    random = SplitMix64(seed: seed)
    allocations = JourneyAllocations(experiments: names.experiments.count, random: &random)
    longestLag = max(4, self.count / (4 * Self.days))
    var places = 256
    while places < 2 * longestLag { places *= 2 }
    sequels = Array(repeating: nil, count: places)
  }

  private mutating func draw(_ count: Int) -> Int {
    Int(random.next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// One event in four belongs to a unit of the most active sixteenth.
  private mutating func drawUnit() -> Int {
    let share = random.next() >> 32
    let squared = (share * share) >> 32
    return Int((squared * UInt64(names.unitCount)) >> 32)
  }

  /// Fills the record with the next event.
  mutating func next(_ record: inout EventRecord) {
    let spread = Int64(Self.days) * Self.dayMicros
    let (quotient, remainder) = spread.quotientAndRemainder(dividingBy: Int64(count))
    let elapsed = quotient * Int64(index) + remainder * Int64(index) / Int64(count)
    allocations.beginDay(Int(elapsed / Self.dayMicros), random: &random)
    var time = Self.start + elapsed + Int64(draw(Int(max(1, quotient))))
    if draw(100) == 0 { time -= Int64(draw(7_200_000_000)) }
    let place = index & (sequels.count - 1)
    index += 1
    guard let sequel = sequels[place] else { return begin(&record, time) }
    sequels[place] = nil
    if sequel.isGoal {
      goal(&record, sequel.time ?? time, sequel.unit, sequel.experiment)
    } else {
      decision(&record, sequel.time ?? time, sequel.unit, sequel.experiment)
    }
  }

  private mutating func begin(_ record: inout EventRecord, _ time: Int64) {
    let unit = drawUnit()
    let drawn = draw(names.experiments.count)
    let experiment = names.evenVariantCount == nil ? drawn : unit % names.experiments.count
    switch draw(50) {
    case 0: conversion(&record, time, unit)
    case 1: goal(&record, time, unit, experiment)
    default: decision(&record, time, unit, experiment)
    }
  }

  private mutating func decision(
    _ record: inout EventRecord, _ time: Int64, _ unit: Int, _ experiment: Int
  ) {
    let (variant, propensity) = chooseVariant(unit, experiment)
    record.reset(kind: .decision, time: Timestamp(microseconds: time))
    names.addUnit(unit, to: &record)
    record[.experiment] = record.add(names.experiments[experiment])
    record[.variant] = record.add(names.variants[variant])
    record.propensity = propensity
    if names.hasProbabilities { names.addProbabilities(to: &record) }
    guard draw(5) == 0 else { return }
    for _ in 0..<draw(3) {
      let own = draw(100) == 0 ? time : nil
      later(Sequel(isGoal: true, unit: unit, experiment: experiment, time: own))
    }
  }

  /// A unit keeps its one of equally likely variants, except for one unit in fifty in every tenth decision.
  private mutating func chooseVariant(
    _ unit: Int, _ experiment: Int
  ) -> (variant: Int, propensity: Double) {
    guard let count = names.evenVariantCount else {
      return allocations.choose(experiment, draw(1_000))
    }
    let own = unit / names.experiments.count % count
    let isOther = unit % 50 == 49 && draw(10) == 0
    return (isOther ? draw(count) : own, 1 / Double(count))
  }

  private mutating func goal(
    _ record: inout EventRecord, _ time: Int64, _ unit: Int, _ experiment: Int
  ) {
    let goal = draw(names.goals.count)
    record.reset(kind: .goal, time: Timestamp(microseconds: time))
    names.addUnit(unit, to: &record)
    record[.experiment] = record.add(names.experiments[experiment])
    record[.goal] = record.add(names.goals[goal])
    // The first has no value, the second always one, the others at random.
    if goal == 1 || goal > 1 && draw(2) == 0 { record.value = drawValue() }
    if draw(500) == 0 {
      later(Sequel(isGoal: false, unit: unit, experiment: experiment, time: time))
    }
  }

  private mutating func conversion(_ record: inout EventRecord, _ time: Int64, _ unit: Int) {
    record.reset(kind: .conversion, time: Timestamp(microseconds: time))
    names.addUnit(unit, to: &record)
    record[.goal] = record.add(names.conversion)
    record.revenue = drawValue()
  }

  /// Returns a random amount of 0.99 to 397.00, small ones more often.
  private mutating func drawValue() -> Double { Double(99 + draw(200) * draw(200)) / 100 }

  /// Inserts a sequel at the next free slot after a random lag. As sequels are few, one is near.
  private mutating func later(_ sequel: Sequel) {
    let first = index + draw(longestLag)
    for place in first..<first + 64 where sequels[place & (sequels.count - 1)] == nil {
      sequels[place & (sequels.count - 1)] = sequel
      return
    }
  }
}

/// The names in synthetic journeys.
struct JourneyNames {
  var unitCount: Int
  /// The number of variants of each experiment, which are equally likely; nil for 2 to 5 with other probabilities.
  let evenVariantCount: Int?
  /// Whether each decision has the equal probabilities of all variants.
  let hasProbabilities: Bool
  let experiments: [ArraySlice<UInt8>]
  let variants: [ArraySlice<UInt8>]
  let goals = ["click", "purchase", "signup"].map { ArraySlice($0.utf8) }
  let conversion = ArraySlice("order".utf8)

  /// Creates the names of 20 experiments; with equally likely variants, of as many as are given, each unit in one of
  /// them, so that neither the variants nor the assigned units are more than these.
  init(
    unitCount: Int = 2_000_000, evenVariantCount: Int? = nil, experimentCount: Int = 1,
    hasProbabilities: Bool = false
  ) {
    self.unitCount = unitCount
    self.evenVariantCount = evenVariantCount
    self.hasProbabilities = hasProbabilities && evenVariantCount != nil
    experiments = (1...(evenVariantCount == nil ? 20 : experimentCount)).map {
      ArraySlice("experiment-\($0)".utf8)
    }
    let names = ["control", "b", "c", "d", "e"]
    variants = (0..<max(names.count, evenVariantCount ?? 0)).map { number in
      ArraySlice((number < names.count ? names[number] : "variant-\(number + 1)").utf8)
    }
  }

  /// Adds all of the equally likely variants to a decision, with their probabilities.
  func addProbabilities(to record: inout EventRecord) {
    let variants = variants.prefix(evenVariantCount ?? 0)
    record.hasChoices = true
    for variant in variants { record.choices.append(record.add(variant)) }
    record.hasProbabilities = true
    record.probabilities.append(
      contentsOf: repeatElement(1 / Double(variants.count), count: variants.count))
  }

  /// Sets the unit of the record by its number: `u-` and seven digits.
  func addUnit(_ number: Int, to record: inout EventRecord) {
    let start = record.bytes.count
    record.bytes.append(UInt8(ascii: "u"))
    record.bytes.append(UInt8(ascii: "-"))
    var place = 1_000_000
    while place > 0 {
      record.bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / place % 10))
      place /= 10
    }
    record[.unit] = EventRecord.Slice(start: start, count: record.bytes.count - start)
  }
}

/// The allocation of the variants of each experiment, in thousandths.
struct JourneyAllocations {
  private var weights: [[Int]] = []
  private var day = 0

  init(experiments: Int, random: inout SplitMix64) {
    for experiment in 0..<experiments {
      weights.append(Self.weights(2 + experiment % 4, &random))
    }
  }

  private static func weights(_ variants: Int, _ random: inout SplitMix64) -> [Int] {
    let parts = (0..<variants).map { _ in 100 + Int(random.next() % 900) }
    let sum = parts.reduce(0, +)
    var weights = parts.map { $0 * 1_000 / sum }
    weights[0] += 1_000 - weights.reduce(0, +)
    return weights
  }

  /// Redraws the allocation of every other experiment if the day has changed.
  mutating func beginDay(_ day: Int, random: inout SplitMix64) {
    guard day != self.day else { return }
    self.day = day
    for experiment in stride(from: 1, to: weights.count, by: 2) {
      weights[experiment] = Self.weights(weights[experiment].count, &random)
    }
  }

  /// Returns the variant at a number below 1,000, and its propensity.
  func choose(_ experiment: Int, _ number: Int) -> (variant: Int, propensity: Double) {
    var left = number
    for (variant, weight) in weights[experiment].enumerated() {
      if left < weight { return (variant, Double(weight) / 1_000) }
      left -= weight
    }
    return (0, Double(weights[experiment][0]) / 1_000)
  }
}
