import Events

/// Health by the words of its definition, on whole events.
struct NaiveHealth: Equatable {
  struct Place: Hashable {
    var experiment: String
    var point: String
    var slot: String
    var variant: String
  }

  struct Exposures: Equatable {
    var units = 0
    var crossed = 0
    var propensities: [Double?] = []
    /// For each unit: conversions, revenue and values of goals before its first exposure.
    var prior: [[Double]] = []
  }

  /// By experiment, and what is counted.
  var ledger: [String: [String: Int]] = [:]
  var exposures: [Place: Exposures] = [:]
  var units: [String: Int64] = [:]

  /// An event where it counts.
  private struct Item {
    /// Time, rank among events of the same time, position, and place among those that are confirmed at once.
    var moment: (Int64, Int, Int, Int)
    var event: Event
    var status: String
    var isLate: Bool

    var place: Place? {
      guard case .decision(let decision) = event.payload else { return nil }
      return Place(
        experiment: decision.experiment.rawValue, point: (decision.point ?? .standard).rawValue,
        slot: (decision.slot ?? .standard).rawValue, variant: decision.variant.rawValue)
    }
    var isExposure: Bool { place != nil && (status == "confirmed" || status == "repeated") }
  }

  init(_ events: [Event], before: Int64, busy: Int) {
    for name in ["units", "events", "late", "lateness", "exposed", "conversions", "orphans"] {
      units[name] = 0
    }
    for name in ["duplicates", "busy", "most"] { units[name] = 0 }
    for unit in Set(events.map(\.unit.rawValue)) {
      add(events.enumerated().filter { $0.element.unit.rawValue == unit }, before, busy)
    }
  }

  private mutating func add(
    _ arrived: [(offset: Int, element: Event)], _ before: Int64, _ busy: Int
  ) {
    let items = items(arrived)
    guard !items.isEmpty else { return }
    units["units", default: 0] += 1
    units["events", default: 0] += Int64(items.count)
    units["late", default: 0] += Int64(items.count { $0.isLate })
    let days = Dictionary(grouping: items) {
      ($0.moment.0 - (($0.moment.0 % 86_400_000_000) + 86_400_000_000) % 86_400_000_000)
    }
    let most = days.values.map(\.count).max() ?? 0
    units["most"] = max(units["most"] ?? 0, Int64(most))
    if most > busy { units["busy", default: 0] += 1 }
    addLedger(items)
    addExposures(items, before)
  }

  private mutating func addLedger(_ items: [Item]) {
    let firstExposure = items.filter(\.isExposure).map(\.moment.0).min()
    if firstExposure != nil { units["exposed", default: 0] += 1 }
    for (index, item) in items.enumerated() {
      let isDuplicate = items[..<index].contains { Self.saysTheSame($0, item) }
      switch item.event.payload {
      case .decision(let decision):
        ledger[decision.experiment.rawValue, default: [:]][item.status, default: 0] += 1
        if isDuplicate {
          ledger[decision.experiment.rawValue, default: [:]]["duplicateDecisions", default: 0] += 1
        }
      case .goal(let goal):
        let isOrphan = !items.contains {
          $0.moment < item.moment && $0.status == "confirmed"
            && $0.place?.experiment == goal.experiment.rawValue
        }
        var names = [goal.status == .refused ? "refused" : "accepted"]
        if isOrphan, goal.status != .refused { names.append("orphanGoals") }
        if isDuplicate { names.append("duplicateGoals") }
        for name in names { ledger[goal.experiment.rawValue, default: [:]][name, default: 0] += 1 }
      case .conversion:
        units["conversions", default: 0] += 1
        if isDuplicate { units["duplicates", default: 0] += 1 }
        if firstExposure.map({ item.moment.0 < $0 }) ?? true { units["orphans", default: 0] += 1 }
      default: break
      }
    }
  }

  private mutating func addExposures(_ items: [Item], _ before: Int64) {
    let seen = items.filter(\.isExposure)
    for (index, item) in seen.enumerated() {
      guard let place = item.place else { continue }
      let isThere = { (other: Item) in
        other.place?.experiment == place.experiment && other.place?.point == place.point
          && other.place?.slot == place.slot
      }
      guard !seen[..<index].contains(where: isThere) else { continue }
      var propensity: Double?
      if case .decision(let decision) = item.event.payload { propensity = decision.propensity }
      let time = item.moment.0
      let prior = items.filter {
        $0.moment.0 < time && $0.moment.0 >= time - before && $0.moment < item.moment
      }
      var sums = [0.0, 0, 0]
      for other in prior {
        switch other.event.payload {
        case .conversion(let conversion):
          sums[0] += 1
          let revenue = conversion.revenue ?? 0
          sums[1] += conversion.takesBack ? -revenue.magnitude : revenue
        case .goal(let goal) where goal.status != .refused: sums[2] += goal.value ?? 1
        default: break
        }
      }
      exposures[place, default: Exposures()].units += 1
      exposures[place, default: Exposures()].propensities.append(propensity)
      exposures[place, default: Exposures()].prior.append(sums)
      if seen.contains(where: { isThere($0) && $0.place?.variant != place.variant }) {
        exposures[place, default: Exposures()].crossed += 1
      }
    }
  }

  // MARK: Order

  /// What counts of a unit, in order, with provisional decisions at their confirmation.
  private mutating func items(_ arrived: [(offset: Int, element: Event)]) -> [Item] {
    var items: [Item] = []
    let ordered = arrived.sorted { EventOrder.isBefore($0, $1) }
    for (number, (offset, event)) in ordered.enumerated() {
      if case .decisionConfirmed = event.payload { continue }
      let time = event.time.microseconds
      let latest = arrived.filter { $0.offset < offset }.map(\.element.time.microseconds).max()
      let lateness = max(0, (latest ?? time) - time)
      units["lateness"] = max(units["lateness"] ?? 0, lateness)
      var item = Item(
        moment: (time, EventOrder.rank(event), offset, 0), event: event, status: "",
        isLate: lateness > 0)
      if case .decision(let decision) = event.payload {
        item.status = decision.status?.name ?? "confirmed"
        if decision.status == .provisional,
          let confirmation = ordered[number...].first(where: { Self.confirms($0.element, decision) }
          )
        {
          item.status = "confirmed"
          item.moment = (confirmation.element.time.microseconds, 0, confirmation.offset, number)
        }
      }
      items.append(item)
    }
    return items.sorted { $0.moment < $1.moment }
  }

  private static func confirms(_ event: Event, _ decision: Decision) -> Bool {
    guard case .decisionConfirmed(let confirmed) = event.payload else { return false }
    return confirmed.experiment == decision.experiment
      && (confirmed.point ?? .standard) == (decision.point ?? .standard)
      && (confirmed.slot == nil || confirmed.slot == (decision.slot ?? .standard))
  }

  private static func saysTheSame(_ a: Item, _ b: Item) -> Bool {
    guard a.moment.0 == b.moment.0, a.status == b.status else { return false }
    switch (a.event.payload, b.event.payload) {
    case (.decision(let x), .decision(let y)):
      return a.place == b.place && x.propensity == y.propensity
    case (.goal(let x), .goal(let y)):
      return x.experiment == y.experiment && x.goal == y.goal && x.value == y.value
        && (x.status == .refused) == (y.status == .refused)
    case (.conversion(let x), .conversion(let y)):
      return x.goal == y.goal && x.takesBack == y.takesBack
        && (x.takesBack ? x.revenue?.magnitude == y.revenue?.magnitude : x.revenue == y.revenue)
    default: return false
    }
  }
}
