import Events
import TestSupport

/// Random events of every kind that reports read, of few units and names and with many equal times, so that rules meet;
/// names of every kind come in the two spellings of a pair.
struct SpelledWorld {
  let names: Spelling
  /// Whether names of units come in both spellings, too.
  var spellsUnits = false

  static let start: Int64 = 1_767_323_045_000_000
  static let hour: Int64 = 3_600_000_000

  /// Returns some events, in no order of time.
  func events(_ random: inout SeededGenerator, count: Int = 160) -> [Event] {
    (0..<40 + random.index(count)).map { _ in event(&random) }
  }

  private func event(_ random: inout SeededGenerator) -> Event {
    let time = Self.start + Int64(random.index(40)) * Self.hour * 3
    let number = random.index(9)
    let unit = "u\(number)" + (spellsUnits && number < 6 ? name(&random, "x") : "")
    let make = { (payload: Payload) in
      Event(time: Timestamp(microseconds: time), unit: UnitID(unit), payload: payload)
    }
    switch random.index(20) {
    case 0..<7: return make(.decision(decision(&random)))
    case 7..<11:
      var goal = Goal(
        experiment: ExperimentID(name(&random, "x")), goal: GoalID(name(&random, "g")))
      if random.chance(0.7) { goal.value = Double(random.index(20)) / 7 }
      if random.chance(0.1) { goal.status = .refused }
      if random.chance(0.1) { goal.point = PointID(name(&random, "p")) }
      return make(.goal(goal))
    case 11..<13:
      return make(
        .conversion(
          Conversion(
            goal: GoalID(name(&random, "c")),
            revenue: random.chance(0.7) ? Double(random.index(40)) / 9 : nil,
            negative: random.chance(0.2) ? true : nil)))
    case 13: return make(.dataPoint(dataPoint(&random)))
    case 14: return configuration(&random, time, unit)
    case 15..<19:
      return make(
        .dataPoint(
          DataPoint(
            kind: random.chance(0.85) ? "optionTaken" : "optionEncountered",
            key: name(&random, "s"), value: .text(name(&random, "o")))))
    default:
      return make(
        .decisionConfirmed(
          DecisionConfirmed(experiment: ExperimentID(name(&random, "x")), point: nil, slot: nil)))
    }
  }

  /// A name in either spelling, or another one.
  private func name(_ random: inout SeededGenerator, _ other: String) -> String {
    [names.first, names.second, other][random.index(3)]
  }

  private func dataPoint(_ random: inout SeededGenerator) -> DataPoint {
    DataPoint(
      kind: random.chance(0.6) ? "custom" : name(&random, "device"),
      key: random.chance(0.8) ? name(&random, "k") : nil, value: .text(name(&random, "y")))
  }

  private func decision(_ random: inout SeededGenerator) -> Decision {
    let choices = [names.first, names.second, "v"]
    let shares = [[0.25, 0.5, 0.25], [0.5, 0.25, 0.25], [0.25, 0.25, 0.5]][random.index(3)]
    let chosen = random.index(3)
    var decision = Decision(
      experiment: ExperimentID(name(&random, "x")), variant: VariantID(choices[chosen]),
      choices: choices.map { VariantID($0) }, propensity: shares[chosen], probabilities: shares)
    if random.chance(0.2) { decision.point = PointID(name(&random, "p")) }
    if random.chance(0.2) { decision.slot = SlotID(name(&random, "q")) }
    if random.chance(0.3) { decision.policy = PolicyID(name(&random, "z")) }
    if random.chance(0.3) { decision.reason = name(&random, "r") }
    decision.status = [nil, nil, nil, nil, .provisional, .repeated, .excluded][random.index(7)]
    if random.chance(0.8) {
      decision.context = [names.first: .text(name(&random, "w"))]
      if random.chance(0.5) { decision.context?[names.second] = .text(name(&random, "w")) }
    }
    decision.features = [
      VariantID(names.first): ["price": .number(shares[0])], "v": ["price": .number(shares[1])],
    ]
    return decision
  }

  /// A configuration of a study, for a unit or everyone; those of everyone are at times of their own.
  private func configuration(
    _ random: inout SeededGenerator, _ time: Int64, _ unit: String
  ) -> Event {
    let options = [names.first, names.second, "o"].shuffled(using: &random).dropLast(
      random.index(2))
    let list = options.map {
      #"{"description":"\#($0)","timesEncountered":0,"timesTaken":0}"#
    }
    let isOfEveryone = random.chance(0.4)
    let configured = ConfigurationApplied(
      system: "studies", experiment: ExperimentID(name(&random, "s")),
      reason: ["defined", "option-added"][random.index(2)],
      configuration: JSONText(validated: #"{"options":[\#(list.joined(separator: ","))]}"#))
    return Event(
      time: Timestamp(
        microseconds: isOfEveryone ? time + 1 + Int64(random.index(1_000_000_000)) : time),
      unit: UnitID(isOfEveryone ? "" : unit), payload: .configurationApplied(configured))
  }
}
