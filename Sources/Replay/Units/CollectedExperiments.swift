internal import EventLog
internal import Threads

/// The units of several experiments, collected in one pass over the log. Those of each are taken once, so that they
/// take memory no longer than they are used.
package struct CollectedExperiments: Sendable {
  /// The number of events and single decisions of each experiment.
  let sizes: [Int]
  /// For each part of the log, the states of the experiments that were not taken.
  private let parts: Monitor<[[UnitCollector.State?]]>
  private let collector: ExperimentCollector
  private let log: LogReader
  private let names: LogNames

  init(
    _ state: consuming ExperimentCollector.State, _ collector: ExperimentCollector,
    _ log: LogReader, _ names: LogNames
  ) {
    (self.collector, self.log, self.names) = (collector, log, names)
    // Moved, because what is referenced twice is copied when it changes.
    var parts = [exchange(&state.units, with: [])]
    for part in state.later.indices { parts.append(exchange(&state.later[part].units, with: [])) }
    sizes = collector.selections.indices.map { place in
      parts.reduce(0) { $0 + ($1[place]?.eventCount ?? 0) }
    }
    self.parts = Monitor(parts)
  }

  /// Returns what the closure makes of each experiment: of large ones one after the other with all threads,
  /// and of the others at the same time, each with one thread.
  ///
  /// - Parameters:
  ///   - jobs: The number of threads.
  ///   - body: Receives the place of an experiment, to take its units, and the number of threads to use.
  /// - Returns: The results by experiment.
  /// - Throws: The error of the first experiment whose closure throws.
  package func map<Result: Sendable>(
    jobs: Int, _ body: @Sendable (Int, _ jobs: Int) throws -> Result
  ) throws -> [Result] {
    let most = sizes.reduce(0, +) / (4 * jobs)
    let failure = FrameProgress(nil)
    @Sendable func run(_ place: Int, jobs: Int) -> (Int, Swift.Result<Result, any Error>) {
      let result = Swift.Result {
        try failure.part(place) {
          try failure.check(place)
          return try body(place, jobs)
        }
      }
      return (place, result)
    }
    let large = sizes.indices.filter { sizes[$0] > most }
    let small = sizes.indices.filter { sizes[$0] <= most }
    let all =
      large.map { run($0, jobs: jobs) }
      + (try Workers.map(small.count, jobs: jobs) { run(small[$0], jobs: 1) })
    return try all.sorted { $0.0 < $1.0 }.map { try $0.1.get() }
  }

  /// Returns the units of an experiment, which are no longer kept; none if they were taken before.
  package func take(_ place: Int) -> CollectedUnits {
    var states = parts.withLock { parts in
      parts.indices.compactMap { exchange(&parts[$0][place], with: nil) }
    }
    if states.isEmpty {
      let experiment = collector.selections[place].experiments?.first
      states.append(collector.collector.makeState(of: experiment, isOneOfMany: true))
    }
    return CollectedUnits(exchange(&states, with: []), collector.collector, log, names)
  }
}

extension UnitCollector.State {
  /// The number of events, a single decision and its goals counting as one.
  fileprivate var eventCount: Int { events.eventCount + (singleUnits?.summary.decisions ?? 0) }
}

extension UnitSelection {
  /// The selection without experiments and times.
  package var ofAllExperiments: UnitSelection {
    var selection = self
    (selection.experiments, selection.since, selection.until) = (nil, nil, nil)
    return selection
  }

  /// Selects what one of several selections selects that differ in experiments and times only; maybe more.
  init(covering selections: [UnitSelection]) {
    self = selections.first ?? UnitSelection()
    let known = selections.compactMap(\.experiments)
    experiments = known.count == selections.count ? Set(known.joined()) : nil
    for other in selections {
      since = since.flatMap { own in other.since.map { min(own, $0) } }
      until = until.flatMap { own in other.until.map { max(own, $0) } }
    }
  }
}
