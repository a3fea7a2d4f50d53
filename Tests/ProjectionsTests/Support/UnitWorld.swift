import Events
import TestSupport

/// Random events of a few units whose times jump back and forth, so that new events change what became of old ones.
enum UnitWorld {
  ///
  /// - Parameters:
  ///   - random: What is drawn from.
  ///   - count: How many events.
  ///   - units: Of how many units.
  ///   - step: How many microseconds times are apart.
  ///   - isWide: Whether experiments have several points and slots.
  /// - Returns: The events in the order of the log.
  static func events(
    _ random: inout SeededGenerator, count: Int, units: Int = 6, step: Int64 = 1,
    isWide: Bool = false
  ) -> [Event] {
    (0..<count).map { _ in
      let unit = UnitID("u\(random.index(units))")
      let time = Timestamp(microseconds: (Int64(random.index(40)) - 10) * step)
      return Event(time: time, unit: unit, payload: payload(&random, isWide))
    }
  }

  /// Events of every kind that units have, whose decisions may carry choices and propensities, right and wrong ones.
  static func everyEvent(
    _ random: inout SeededGenerator, count: Int, units: Int = 6
  ) -> [Event] {
    events(&random, count: count, units: units).map { event in
      var event = event
      if random.chance(0.15) {
        event.payload = .dataPoint(DataPoint(kind: "custom", key: "k"))
      } else if case .decision(var decision) = event.payload {
        let propensities: [Double?] = [nil, 0.5, 1.0 / 3, 1, 1e-9, 0.25]
        decision.propensity = propensities[random.index(propensities.count)]
        if random.chance(0.6) { decision.choices = ["v0", "v1"] }
        if decision.choices != nil, random.chance(0.7) {
          decision.probabilities = random.chance(0.8) ? [0.5, 0.5] : [1.0 / 3, 0.5]
        }
        event.payload = .decision(decision)
      }
      return event
    }
  }

  /// Steps between times: all within one visit; visits of some events; many days.
  static let steps: [Int64] = [1, 25 * 60_000_000, 21 * 3_600_000_000]

  private static func payload(_ random: inout SeededGenerator, _ isWide: Bool) -> Payload {
    let experiment = ExperimentID("e\(random.index(2))")
    let point = isWide ? point(&random) : nil
    let slot = isWide ? slot(&random) : nil
    switch random.index(12) {
    case 0..<4:
      let statuses: [EventStatus?] = [nil, nil, nil, .provisional, .repeated, .excluded]
      return .decision(
        Decision(
          experiment: experiment, point: point, slot: slot,
          variant: VariantID("v\(random.index(3))"),
          propensity: [nil, 0.25, 1.0 / 3, 1][random.index(4)],
          status: statuses[random.index(statuses.count)]))
    case 4..<8:
      var goal = Goal(experiment: experiment, goal: random.chance(0.7) ? "g" : "h")
      let values = [0.1, 1, 2.5, -3, 1e16, -1e16, 1e-300, 1e200, 1.0 / 3, 3.99]
      if random.chance(0.8) { goal.value = values[random.index(values.count)] }
      if random.chance(0.1) { goal.status = .refused }
      if isWide, random.chance(0.4) {
        (goal.point, goal.slot) = (self.point(&random), self.slot(&random))
      }
      return .goal(goal)
    case 8..<10:
      let revenues: [Double?] = [nil, 0.1, 7, 1e16, 1.0 / 3, -2.5]
      return .conversion(
        Conversion(
          goal: random.chance(0.6) ? "c" : "d", revenue: revenues[random.index(revenues.count)],
          negative: random.chance(0.2) ? true : nil))
    case 10: return .dataPoint(DataPoint(kind: "seen"))
    default:
      return .decisionConfirmed(
        DecisionConfirmed(experiment: experiment, point: point, slot: slot))
    }
  }

  private static func point(_ random: inout SeededGenerator) -> PointID? {
    [nil, nil, nil, "p", "point-1"][random.index(5)]
  }

  private static func slot(_ random: inout SeededGenerator) -> SlotID? {
    [nil, nil, nil, "s", "decision-1"][random.index(5)]
  }
}
