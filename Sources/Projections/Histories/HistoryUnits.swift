internal import Replay
internal import Threads

/// The units of a database, as its histories have them: to projectors they look like those of the log.
struct HistoryUnits: BucketedUnits {
  var context: UnitContext
  let bucketCount: Int
  /// Threads take turns.
  let table: Monitor<HistoryTable>
  let runs: Int
  /// Which events are shown; nil for all.
  var filter: HistoryFilter?

  func forEachUnit(
    ofBucket bucket: Int, _ order: inout UnitOrder,
    _ body: (Span<UnitEvent>, _ lateness: Int64) throws -> Void
  ) throws {
    try order.forEachUnit(try events(bucket), arms: context.arms, body)
  }

  /// The latest time of an event that is shown; the least there is when there is none.
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

  /// The events of a bucket in the order in which they came.
  private func events(_ bucket: Int) throws -> [UnitEvent] {
    let reader = HistoryReader(
      table: table, bucket: bucket, bucketCount: bucketCount, arms: context.arms)
    var events = try reader.events(runs: 0..<runs)
    filter?.apply(to: &events)
    return events
  }
}

/// Which events of units are shown: those that a replay of the log would collect for the same needs and experiments.
struct HistoryFilter: Sendable {
  private let needs: UnitNeeds
  /// Codes of the experiments whose decisions and goals are shown; nil for all.
  private let experiments: Set<UInt32>?

  /// Nil when everything that is kept is shown.
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
    case .dimension, .dataDimension, .probabilities, .context, .optionTaken, .optionEncountered,
      .studyConfigured, .feature:
      false
    }
  }

  private func isSelected(_ event: UnitEvent) -> Bool {
    experiments?.contains(event.experiment) ?? true
  }
}
