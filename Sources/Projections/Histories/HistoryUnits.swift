internal import Replay
internal import Threads

/// The units of a database, from its histories: to projectors they look like those of the log.
struct HistoryUnits: BucketedUnits {
  var context: UnitContext
  let bucketCount: Int
  /// The table, used by one thread at a time.
  let table: Monitor<HistoryTable>
  let runs: Int
  /// Selects the events; nil for all.
  var filter: HistoryFilter?

  func forEachUnit(
    ofBucket bucket: Int, _ order: inout UnitOrder,
    _ body: (Span<UnitEvent>, _ lateness: Int64) throws -> Void
  ) throws {
    try order.forEachUnit(try events(bucket), arms: context.arms, body)
  }

  /// Returns the latest time of a selected event; the minimum if there is none.
  func latest(jobs: Int) throws -> Int64 {
    let jobs = max(1, min(jobs, bucketCount))
    return try Workers.run(jobs) { job in
      var latest = Int64.min
      for bucket in stride(from: job, to: bucketCount, by: jobs) {
        for event in try events(bucket) { latest = max(latest, event.time) }
      }
      return latest
    }.max() ?? .min
  }

  /// Returns the events of a bucket in log order.
  private func events(_ bucket: Int) throws -> [UnitEvent] {
    let reader = HistoryReader(
      table: table, bucket: bucket, bucketCount: bucketCount, arms: context.arms)
    var events = try reader.events(runs: 0..<runs)
    filter?.apply(to: &events)
    return events
  }
}

/// Selects the events of units that a replay of the log would collect for the same needs and experiments.
struct HistoryFilter: Sendable {
  private let needs: UnitNeeds
  /// The codes of the experiments whose decisions and goals are selected; nil for all.
  private let experiments: Set<UInt32>?

  /// Creates a filter; nil if everything stored is selected.
  init?(_ needs: UnitNeeds, _ experiments: Set<UInt32>?) {
    if experiments == nil, needs.isSuperset(of: ReadModel.needs) { return nil }
    self.needs = needs
    self.experiments = experiments
  }

  func apply(to events: inout [UnitEvent]) {
    var end = 0
    for index in events.indices {
      var event = events[index]
      guard isShown(event) else { continue }
      if event.kind.isDecision, !needs.contains(.propensities) {
        event.number = .nan
        event.hasNumber = false
      }
      events[end] = event
      end += 1
    }
    events.removeLast(events.count - end)
  }

  private func isShown(_ event: UnitEvent) -> Bool {
    switch event.kind {
    case .decision, .provisional, .repeated, .excluded, .unknown, .leftOut, .confirmation:
      needs.contains(.decisions) && isSelected(event)
    case .goal, .refusedGoal, .goalPlace: needs.contains(.goals) && isSelected(event)
    case .conversion: needs.contains(.conversions)
    case .activity: needs.contains(.activity)
    case .dimension, .dataDimension, .probabilities, .choices, .context, .situation,
      .optionTaken, .optionEncountered, .studyConfigured, .feature:
      false
    }
  }

  private func isSelected(_ event: UnitEvent) -> Bool {
    experiments?.contains(event.experiment) ?? true
  }
}
