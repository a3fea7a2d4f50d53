import Events

/// The exposures and goals of the units of a log, by the words of the definitions and without a thought for speed.
struct NaiveLog {
  /// Experiment, point and slot.
  typealias Place = [String]

  struct Exposure {
    var unit: String
    var place: Place
    var variant: String
    /// Its place among the events of the unit as they count.
    var index: Int
    /// Whether it is a decision, and not the repetition of one.
    var isDecision: Bool
  }

  struct Credit {
    var unit: String
    var experiment: String
    var point: String?
    var slot: String?
    var value: Double
    var index: Int

    func isCreditable(at place: Place) -> Bool {
      experiment == place[0] && point ?? place[1] == place[1] && slot ?? place[2] == place[2]
    }
  }

  private(set) var exposures: [Exposure] = []
  private(set) var goals: [Credit] = []

  init(_ events: [Event]) {
    for (unit, events) in Dictionary(grouping: events, by: \.unit.rawValue) {
      take(events.enumerated().sorted { Self.key($0) < Self.key($1) }.map(\.element), of: unit)
    }
  }

  /// The order in which events count: by time, at equal times decisions and confirmations first, then as logged.
  private static func key(_ event: (offset: Int, element: Event)) -> (Int64, Int, Int) {
    switch event.element.payload {
    case .decision, .decisionConfirmed: (event.element.time.microseconds, 0, event.offset)
    default: (event.element.time.microseconds, 1, event.offset)
    }
  }

  private mutating func take(_ events: [Event], of unit: String) {
    var held: [Exposure] = []
    for (index, event) in events.enumerated() {
      switch event.payload {
      case .decision(let decision):
        let exposure = Exposure(
          unit: unit,
          place: [
            decision.experiment.rawValue, decision.point?.rawValue ?? "point-1",
            decision.slot?.rawValue ?? "decision-1",
          ], variant: decision.variant.rawValue, index: index,
          isDecision: decision.status != .repeated)
        if decision.status == .provisional { held.append(exposure) }
        if [nil, .confirmed, .repeated].contains(decision.status) { exposures.append(exposure) }
      case .decisionConfirmed(let confirmed):
        let isConfirmed = { (exposure: Exposure) in
          exposure.place[0] == confirmed.experiment.rawValue
            && exposure.place[1] == confirmed.point?.rawValue ?? "point-1"
            && exposure.place[2] == confirmed.slot?.rawValue ?? exposure.place[2]
        }
        for var exposure in held where isConfirmed(exposure) {
          exposure.index = index
          exposures.append(exposure)
        }
        held.removeAll(where: isConfirmed)
      case .goal(let goal) where goal.status != .refused:
        goals.append(
          Credit(
            unit: unit, experiment: goal.experiment.rawValue, point: goal.point?.rawValue,
            slot: goal.slot?.rawValue, value: goal.value ?? 1, index: index))
      default: break
      }
    }
  }

  /// The decisions of each place and variant: their units, and the values that are credited to each of them, those of the
  /// goals before the unit's next decision at the place.
  var decisions: [Place: [(unit: String, rewards: [Double])]] {
    var decisions: [Place: [(unit: String, rewards: [Double])]] = [:]
    for (index, decision) in exposures.enumerated() where decision.isDecision {
      let next = exposures[(index + 1)...].first {
        $0.isDecision && $0.unit == decision.unit && $0.place == decision.place
      }
      // Decisions that one confirmation confirms are at the same place of the history: the last is the latest.
      let rewards = goals.filter {
        $0.unit == decision.unit && $0.isCreditable(at: decision.place)
          && $0.index > decision.index && $0.index < next?.index ?? .max
      }
      decisions[decision.place + [decision.variant], default: []].append(
        (decision.unit, rewards.map(\.value)))
    }
    return decisions
  }

  /// The first exposures of units at a place, and whether another variant followed.
  var assignments: [(exposure: Exposure, isCrossed: Bool)] {
    Dictionary(grouping: exposures) { [$0.unit] + $0.place }.values.map { exposures in
      (exposures[0], exposures.contains { $0.variant != exposures[0].variant })
    }
  }

  /// The reward of each unit by place and variant, without those in several variants: its goals after the first exposure.
  var unitRewards: [Place: [String: [Double]]] {
    var rewards: [Place: [String: [Double]]] = [:]
    for (first, isCrossed) in assignments where !isCrossed {
      let own = goals.filter {
        $0.unit == first.unit && $0.isCreditable(at: first.place) && $0.index > first.index
      }
      rewards[first.place, default: [:]][first.variant, default: []].append(
        own.map(\.value).reduce(0, +))
    }
    return rewards
  }
}

/// Mean and variance by their definitions.
struct NaiveMoments {
  var count: Double
  var mean: Double
  var variance: Double

  init(_ values: [Double]) {
    let (count, mean) = (Double(values.count), values.reduce(0, +) / Double(values.count))
    self.count = count
    self.mean = mean
    variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
  }

  /// The squared standard error of the mean.
  var squaredError: Double { variance / count }
}
