public import Events

/// The random logs that every report is held against by its naive twin: events of every kind in any order of time, of
/// few units, experiments, places and names and with many equal times, so that rules meet.
///
/// Units are in several experiments. Decisions are provisional, confirmed, repeated or excluded, and some have no
/// propensity; goals may be refused; goals and conversions have values on both sides of zero, or none.
public enum SmallWorld {
  /// Returns 1 to `count` events at so many different times; a step is the microseconds between two of them: 1, or as
  /// much as a day, for windows. Goals may name points and slots.
  public static func events(
    _ random: inout SeededGenerator, count: Int = 60, times: Int = 12, step: Int64 = 1,
    namesPlaces: Bool = false
  ) -> [Event] {
    (0..<1 + random.index(count)).map { _ in
      let unit = "u\(random.index(5))"
      let time = Int64(random.index(times)) * step
      let experiment = ExperimentID("e\(random.index(2))")
      return Event(
        time: Timestamp(microseconds: time), unit: UnitID(unit),
        payload: payload(&random, experiment, namesPlaces))
    }
  }

  private static func payload(
    _ random: inout SeededGenerator, _ experiment: ExperimentID, _ namesPlaces: Bool
  ) -> Payload {
    switch random.index(14) {
    case 0..<5: return .decision(decision(&random, experiment))
    case 5..<9: return .goal(goal(&random, experiment, namesPlaces))
    case 9..<11:
      return .conversion(
        Conversion(
          goal: random.chance(0.6) ? "c" : "d",
          revenue: random.chance(0.7) ? Double(random.index(40) - 6) / 8 : nil,
          negative: random.chance(0.2) ? random.chance(0.5) : nil))
    case 11:
      return .dataPoint(
        DataPoint(
          kind: random.chance(0.5) ? "custom" : "device", key: random.chance(0.7) ? "k" : nil,
          value: .text("x\(random.index(3))")))
    default:
      return .decisionConfirmed(
        DecisionConfirmed(
          experiment: experiment, point: random.chance(0.3) ? "p" : nil,
          slot: random.chance(0.5) ? "s" : nil))
    }
  }

  private static func decision(
    _ random: inout SeededGenerator, _ experiment: ExperimentID
  ) -> Decision {
    let statuses: [EventStatus?] = [nil, nil, .confirmed, .provisional, .repeated, .excluded]
    let variant = VariantID("v\(random.index(3))")
    return Decision(
      experiment: experiment, point: random.chance(0.3) ? "p" : nil,
      slot: random.chance(0.3) ? "s" : nil, variant: variant,
      propensity: random.chance(0.8) ? [0.2, 0.25, 0.5, 1][random.index(4)] : nil,
      policy: random.chance(0.5) ? "uniform" : nil,
      reason: random.chance(0.3) ? ["forced", "random"][random.index(2)] : nil,
      status: statuses[random.index(statuses.count)])
  }

  private static func goal(
    _ random: inout SeededGenerator, _ experiment: ExperimentID, _ namesPlaces: Bool
  ) -> Goal {
    var goal = Goal(experiment: experiment, goal: random.chance(0.7) ? "g" : "h")
    if random.chance(0.7) { goal.value = Double(random.index(24) - 4) / 4 }
    if random.chance(0.1) { goal.status = .refused }
    if namesPlaces, random.chance(0.4) {
      goal.point = [nil, "p", "point-1", "nowhere"][random.index(4)]
      goal.slot = [nil, "s", "decision-1"][random.index(3)]
    }
    return goal
  }

  /// Returns the events of many units: those of a number of worlds in the same experiments, each world with units of its
  /// own.
  public static func crowd(
    _ worlds: Int, _ random: inout SeededGenerator, count: Int = 60, step: Int64 = 1,
    namesPlaces: Bool = false
  ) -> [Event] {
    (0..<worlds).flatMap { world in
      events(&random, count: count, step: step, namesPlaces: namesPlaces).map { event in
        var event = event
        event.unit = UnitID("\(world)\(event.unit.rawValue)")
        return event
      }
    }
  }

  /// Returns the events of a number of worlds in one log: no unit or experiment is in two of them.
  public static func worlds(
    _ count: Int, _ random: inout SeededGenerator, step: Int64 = 1
  ) -> [Event] {
    let worlds = (0..<count).map { world in
      events(&random, step: step).map { event in
        var event = event
        event.unit = UnitID("\(world)-" + event.unit.rawValue)
        let named = { (name: ExperimentID) in ExperimentID("\(world)-" + name.rawValue) }
        switch event.payload {
        case .decision(var decision):
          decision.experiment = named(decision.experiment)
          event.payload = .decision(decision)
        case .goal(var goal):
          goal.experiment = named(goal.experiment)
          event.payload = .goal(goal)
        case .decisionConfirmed(var confirmed):
          confirmed.experiment = named(confirmed.experiment)
          event.payload = .decisionConfirmed(confirmed)
        default: break
        }
        return event
      }
    }
    return worlds.flatMap { $0 }.shuffled(using: &random)
  }

  /// Returns events whose decisions have choices, contexts and equal probabilities, some of them none.
  public static func situations(_ random: inout SeededGenerator, count: Int = 60) -> [Event] {
    let devices: [AttributeValue?] = [.text("tv"), .text("phone"), .number(2), nil]
    return changingDecisions(events(&random, count: count)) { decision in
      if random.chance(0.7) {
        decision.choices = [["v0", "v1", "v2"], ["v2", "v1"], ["v1", "v0"]][random.index(3)]
      }
      if let choices = decision.choices, random.chance(0.5) {
        decision.probabilities = choices.map { _ in 1 / Double(choices.count) }
      }
      decision.context = devices[random.index(devices.count)].map {
        ["device": $0, "visits": .number(Double(random.index(3)))]
      }
    }
  }

  /// Returns the events with choices and their probabilities in each decision, which are missing or wrong in a few.
  public static func withProbabilities(
    _ events: [Event], _ random: inout SeededGenerator
  ) -> [Event] {
    changingDecisions(events) { decision in
      var choices = (0..<random.index(4)).map { _ in VariantID("v\(random.index(4))") }
      choices.insert(decision.variant, at: random.index(choices.count + 1))
      var eighths = choices.map { _ in 0.0 }
      eighths[choices.firstIndex(of: decision.variant) ?? 0] = 1
      for _ in 0..<7 { eighths[random.index(eighths.count)] += 1 }
      decision.choices = choices
      decision.probabilities = eighths.map { $0 / 8 }
      switch random.index(60) {
      case 0: decision.probabilities = nil
      case 1: (decision.choices, decision.probabilities) = (nil, nil)
      case 2: decision.probabilities?[0] += 0.25
      case 3: decision.variant = "v5"
      default: break
      }
    }
  }

  /// Returns the events with each decision changed.
  public static func changingDecisions(
    _ events: [Event], _ change: (inout Decision) -> Void
  ) -> [Event] {
    events.map { event in
      guard case .decision(var decision) = event.payload else { return event }
      var event = event
      change(&decision)
      event.payload = .decision(decision)
      return event
    }
  }
}
