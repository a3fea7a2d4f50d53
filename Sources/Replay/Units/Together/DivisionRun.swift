/// Shows the units of a log to the projectors of one thread, each its part. Buffers are reused from unit to unit.
struct DivisionRun {
  private let plan: DivisionPlan
  private let parts: [PartRun]
  private let outsiders: [any UnitRunning]
  /// By number of the times, the events of the current unit outside of experiments, with their largest lateness.
  private var others: [(events: [UnitEvent], lateness: Int64)]
  /// The parts in which the current unit has events of experiments.
  private var present: [PartRun] = []
  private var history = UnitHistory()

  init(_ plan: DivisionPlan) {
    self.plan = plan
    parts = plan.parts.map { PartRun($0, plan) }
    outsiders = plan.outsiders.map { $0.slot.makeRun(UnitContext()) }
    others = plan.times.map { _ in ([], 0) }
  }

  /// Shows the events of a unit, given in the order of their arrival.
  mutating func apply(_ arrived: Span<UnitEvent>) {
    let hasOthers = findParts(arrived)
    if hasOthers { showOutsiders(arrived) }
    if !present.isEmpty { divide(arrived) }
    for part in present {
      part.show(&history)
      if hasOthers { for run in part.own { show(part.timesNumber, to: run) } }
    }
    present.removeAll(keepingCapacity: true)
  }

  /// Merges the states into those of all threads.
  func finish() {
    for part in parts { part.finish() }
    for run in outsiders { run.finish() }
  }

  /// Finds the parts in which a unit has events of experiments; returns whether it has others.
  private mutating func findParts(_ arrived: Span<UnitEvent>) -> Bool {
    var hasOthers = false
    for index in arrived.indices where !arrived[index].kind.isDecisionNote {
      let event = arrived[index]
      if event.kind.isOutsideOfExperiments {
        hasOthers = true
        continue
      }
      for number in plan.parts(of: event.experiment) {
        let part = parts[number]
        guard !part.isPresent, part.times.contain(event) else { continue }
        part.isPresent = true
        present.append(part)
      }
    }
    return hasOthers
  }

  private mutating func showOutsiders(_ arrived: Span<UnitEvent>) {
    for number in others.indices { loadOthers(number, arrived) }
    for (number, run) in outsiders.enumerated() {
      show(plan.outsiders[number].timesNumber, to: run)
    }
    for part in parts where !part.isPresent {
      for run in part.unshared { show(part.timesNumber, to: run) }
    }
  }

  /// Loads the events outside of experiments that are in a range of times.
  private mutating func loadOthers(_ number: Int, _ arrived: Span<UnitEvent>) {
    let times = plan.times[number]
    var events = exchange(&others[number].events, with: [])
    events.removeAll(keepingCapacity: true)
    for index in arrived.indices {
      let event = arrived[index]
      if event.kind.isOutsideOfExperiments, times.contain(event) { events.append(event) }
    }
    others[number].lateness = history.order(&events, arms: [])
    others[number].events = events
  }

  private func show(_ timesNumber: Int, to run: any UnitRunning) {
    let (events, lateness) = others[timesNumber]
    if !events.isEmpty { run.apply(events.span, lateness) }
  }

  /// Copies events to the parts that see them.
  private func divide(_ arrived: Span<UnitEvent>) {
    var start = 0
    for index in arrived.indices where !arrived[index].kind.isDecisionNote {
      let event = arrived[index]
      if event.kind.isOutsideOfExperiments {
        for part in present where part.times.contain(event) { part.events.append(event) }
      } else {
        for number in plan.parts(of: event.experiment) {
          let part = parts[number]
          guard part.times.contain(event) else { continue }
          for place in start..<index { part.events.append(arrived[place]) }
          part.events.append(part.isOfOne ? renumbered(event) : event)
        }
      }
      start = index + 1
    }
  }

  /// Returns an event with the number of its arm among those of its experiment.
  private func renumbered(_ event: UnitEvent) -> UnitEvent {
    guard event.kind.isDecision || event.kind == .confirmation || event.kind == .goalPlace else {
      return event
    }
    var event = event
    event.subject = plan.arms[Int(event.subject)]
    return event
  }
}

/// A part of a log with the projectors of one thread.
private final class PartRun {
  let times: DivisionPlan.Times
  let timesNumber: Int
  let isOfOne: Bool
  private let arms: [Arm]
  /// Projectors that see what own units do outside of experiments.
  let own: [any UnitRunning]
  /// Projectors that see what all units do outside of experiments.
  let unshared: [any UnitRunning]
  /// Projectors that see units whose decisions have the same values, and what they see in place of annotations.
  private let shared: [any UnitRunning]
  private let commonView: DecisionValues.View?
  /// By dimension, the projectors that see other units, those that see all, and what both see.
  private let views: [(members: [any UnitRunning], others: [any UnitRunning], view: DecisionValues.View)]
  /// The events of the current unit.
  var events: [UnitEvent] = []
  var isPresent = false
  /// The places of the annotations with dimensions in the history, and their numbers.
  private var annotations: [(place: Int, number: UInt32)] = []

  init(_ part: DivisionPlan.Part, _ plan: DivisionPlan) {
    (times, timesNumber, isOfOne) = (part.times, part.timesNumber, part.isOfOne)
    arms = part.context.arms
    func runs(_ slots: [any UnitSlotting]) -> [any UnitRunning] {
      slots.map { $0.makeRun(part.context) }
    }
    own = runs(part.projectors.filter { $0.outsiders != nil }.map(\.own))
    shared = runs(part.projectors.map(\.slot))
    commonView = plan.commonView(of: part)
    views = plan.views(of: part).enumerated().map { dimension, view in
      let members = part.dimensions.count == 1 ? [] : part.projectors.flatMap(\.members)
      return (
        runs(members.filter { $0.dimension == dimension }.map(\.slot)),
        runs(part.others.filter { $0.dimension == dimension }.map(\.slot)), view
      )
    }
    unshared = views.flatMap(\.others)
  }

  func finish() {
    for run in own + shared + views.flatMap({ $0.members + $0.others }) { run.finish() }
  }

  /// Shows the events to the projectors, and forgets them.
  func show(_ history: inout UnitHistory) {
    let lateness = history.order(&events, arms: arms)
    annotations.removeAll(keepingCapacity: true)
    for place in events.indices where events[place].kind == .dimension {
      annotations.append((place, events[place].subject))
    }
    if !events.isEmpty {
      let isCommon = setCommonValues()
      if isCommon { for run in shared { run.apply(events.span, lateness) } }
      for (members, others, view) in views where !isCommon || !others.isEmpty {
        for (place, number) in annotations { events[place].subject = view[number] }
        if !isCommon { for run in members { run.apply(events.span, lateness) } }
        for run in others { run.apply(events.span, lateness) }
      }
    }
    events.removeAll(keepingCapacity: true)
    isPresent = false
  }

  /// Replaces annotations by what shared projectors see, and returns whether these see the unit.
  private func setCommonValues() -> Bool {
    guard let commonView else { return false }
    guard let first = annotations.first else { return true }
    if views.count > 1 {
      let value = commonView[first.number]
      for (_, number) in annotations where commonView[number] != value { return false }
    }
    for (place, number) in annotations { events[place].subject = commonView[number] }
    return true
  }
}

extension UnitHistory {
  /// Orders events in arrival order as histories are, and returns their largest lateness.
  fileprivate mutating func order(_ events: inout [UnitEvent], arms: [Arm]) -> Int64 {
    guard !Self.isInOrder(events.span) else { return 0 }
    load(events, arms: arms)
    events.removeAll(keepingCapacity: true)
    events.append(contentsOf: self.events)
    return largestLateness
  }
}
