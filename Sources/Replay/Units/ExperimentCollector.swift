internal import EventLog
internal import Events

/// Collects the events of several experiments in one pass, those of each as if they were collected alone: every
/// decision, confirmation and goal belongs to one experiment.
struct ExperimentCollector: Projector {
  /// The events of a part of the log.
  struct State: Sendable {
    /// By place of the experiment, its events; nil without any.
    var units: [UnitCollector.State?]
    /// The kinds of decisions in the current batch, of one experiment after the other.
    var recent: RecentKinds?
    var rows = ExperimentRows()
    /// The temporary file of all experiments; nil until events were spilled.
    var file: TemporaryFile?
    /// The states of later parts of the log.
    var later: [State] = []
  }

  /// Collects the events of all experiments, at any time that is selected for one of them.
  let collector: UnitCollector
  /// The selection of each experiment: itself, and its times.
  let selections: [UnitSelection]
  private let router: ExperimentRouter

  /// Creates a collector.
  ///
  /// - Parameters:
  ///   - collector: A collector of all experiments.
  ///   - selections: For each experiment the same selection but for itself and its times.
  init(_ collector: UnitCollector, _ selections: [UnitSelection]) {
    (self.collector, self.selections) = (collector, selections)
    router = ExperimentRouter(selections, limit: collector.experimentLimit)
  }

  var columns: EventColumns { collector.columns }

  var attributes: [AttributeSelection] { collector.attributes }

  var filter: FrameFilter { collector.filter }

  func makeState() -> State {
    State(units: Array(repeating: nil, count: selections.count), recent: collector.makeRecent())
  }

  func apply(_ batch: EventBatch, to state: inout State) throws {
    state.rows.load(batch, router)
    for (place, rows) in state.rows.groups {
      if state.units[place] == nil {
        state.units[place] = collector.makeState(
          of: selections[place].experiments?.first, isOneOfMany: true)
      }
      state.units[place]?.add(batch, state.rows.order[rows], collector, &state.recent)
    }
    if collector.memoryLimit < .max { try spill(&state) }
  }

  /// Moves the events of large experiments to a file until the rest is within the memory limit.
  private func spill(_ state: inout State) throws {
    while true {
      let sizes = state.units.map { $0?.events.byteCount ?? 0 }
      let total = sizes.reduce(0, +)
      guard total > collector.memoryLimit else { return }
      for place in sizes.indices where sizes[place] >= max(1, total / sizes.count) {
        state.units[place]?.events.file = state.file
        try state.units[place]?.events.spill(to: collector.folder)
        state.file = state.units[place]?.events.file
      }
    }
  }

  func merge(_ later: State, into state: inout State) { state.later.append(later) }
}

extension UnitCollector.State {
  /// Adds some rows of a batch.
  fileprivate mutating func add(
    _ batch: EventBatch, _ rows: ArraySlice<UInt32>, _ collector: UnitCollector,
    _ shared: inout RecentKinds?
  ) {
    swap(&recent, &shared)
    collector.beginBatch(&self)
    for row in rows { collector.add(batch, Int(row), to: &self) }
    swap(&recent, &shared)
    events.settle()
  }
}

/// Finds the selected experiment of an event.
struct ExperimentRouter: Sendable {
  /// By code of the experiment, its place among those selected plus one; 0 for others.
  private var places: [UInt32] = []
  /// By place the start of the time range, inclusive, and its end, exclusive.
  private let times: [(since: Int64, until: Int64?)]
  private let from: UInt64

  init(_ selections: [UnitSelection], limit: Int) {
    times = selections.map { ($0.since ?? .min, $0.until) }
    from = selections.first?.from ?? 0
    for (place, selection) in selections.enumerated() {
      for code in selection.experiments ?? [] where code < limit {
        let more = Int(code) + 1 - places.count
        if more > 0 { places.append(contentsOf: repeatElement(0, count: more)) }
        places[Int(code)] = UInt32(place + 1)
      }
    }
  }

  /// Returns the place of the experiment of a row plus one; 0 if the row is not selected.
  @inline(__always)
  fileprivate func route(_ batch: EventBatch, _ row: Int) -> UInt32 {
    switch EventKind(rawValue: batch.kinds[row]) {
    case .decision, .goal, .decisionConfirmed: break
    default: return 0
    }
    let experiment = Int(batch.experiments[row])
    guard experiment < places.count, places[experiment] > 0,
      batch.basePosition + UInt64(row) >= from
    else { return 0 }
    let (since, until) = times[Int(places[experiment]) - 1]
    let time = batch.times[row]
    return time >= since && until.map { time < $0 } ?? true ? places[experiment] : 0
  }
}

/// The selected rows of a batch, by experiment; rows of one experiment are in order.
struct ExperimentRows: Sendable {
  /// The rows of one experiment after those of another.
  private(set) var order: [UInt32] = []
  /// The experiments with rows, and where these are in ``order``.
  private(set) var groups: [(place: Int, rows: Range<Int>)] = []
  /// By place of the experiment plus one, the number of its group plus one; 0 without rows.
  private var numbers: [UInt32] = []
  /// By row, the number of its group plus one.
  private var routes: [UInt32] = []
  /// By group, the number of its rows, and then the end of those that are in ``order``.
  private var ends: [Int] = []

  /// Loads a batch in place of the one before.
  fileprivate mutating func load(_ batch: EventBatch, _ router: ExperimentRouter) {
    for group in groups { numbers[group.place + 1] = 0 }
    groups.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    routes.removeAll(keepingCapacity: true)
    for row in 0..<batch.count { routes.append(group(router.route(batch, row))) }
    var count = 0
    for group in ends.indices {
      let start = count
      count += ends[group]
      groups[group].rows = start..<count
      ends[group] = start
    }
    let more = count - order.count
    if more > 0 { order.append(contentsOf: repeatElement(0, count: more)) }
    for (row, group) in routes.enumerated() where group > 0 {
      order[ends[Int(group) - 1]] = UInt32(truncatingIfNeeded: row)
      ends[Int(group) - 1] += 1
    }
  }

  /// Counts a row of an experiment, and returns the number of its group plus one.
  @inline(__always)
  private mutating func group(_ route: UInt32) -> UInt32 {
    guard route > 0 else { return 0 }
    let more = Int(route) + 1 - numbers.count
    if more > 0 { numbers.append(contentsOf: repeatElement(0, count: more)) }
    if numbers[Int(route)] == 0 {
      groups.append((Int(route) - 1, 0..<0))
      ends.append(0)
      numbers[Int(route)] = UInt32(groups.count)
    }
    let group = numbers[Int(route)]
    ends[Int(group) - 1] += 1
    return group
  }
}
