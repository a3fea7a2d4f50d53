internal import EventLog
internal import Threads

/// The units of a log, collected once for requests that are about different parts of it: experiments, times and
/// dimensions.
///
/// Each request gets the states that it would get if its part were collected alone. A unit with events in no experiment
/// alone, such as a conversion of a unit that an experiment does not have, contributes the same to all experiments:
/// it is shown once, and what such events of the experiment's own units contribute by themselves is subtracted.
struct DividedUnits: Sendable {
  private let units: CollectedUnits
  private let selection: UnitSelection
  private let needs: UnitNeeds
  private let dimensions: [Dimension]
  private let values: DecisionValues
  private let common: UnitSelection
  private let jobs: Int

  /// Collects what some requests need.
  ///
  /// - Parameters:
  ///   - replay: The log.
  ///   - requests: The requests.
  ///   - common: What they have in common, see ``UnitRequest/common``.
  /// - Throws: `LogError` if the log cannot be read.
  init(_ replay: LogReplay, _ requests: [UnitRequest], _ common: UnitSelection) throws {
    selection = UnitSelection(covering: requests.map(\.selection))
    needs = requests.reduce(into: []) { $0.formUnion($1.needs) }
    dimensions = Set(requests.compactMap(\.selection.dimension)).sorted { "\($0)" < "\($1)" }
    self.common = common
    jobs = replay.jobs
    var read = selection
    read.dimension = common.dimension
    var units = try replay.collect(
      read, needs, dimensions: common.dimension == nil ? dimensions : [])
    if needs.contains(.hashes) { units.context.hashes = try UnitHashes(replay.log) }
    values = DecisionValues(dimensions, units.columns)
    self.units = units
  }

  /// Returns whether they have all that some requests need.
  func cover(_ requests: [UnitRequest]) -> Bool {
    requests.allSatisfy { request in
      let own = request.selection
      return needs.isSuperset(of: request.needs)
        && own.dimension.map(dimensions.contains) ?? true
        && selection.experiments.map { own.experiments?.isSubset(of: $0) ?? false } ?? true
        && selection.since.map { own.since ?? .min >= $0 } ?? true
        && selection.until.map { own.until ?? .max <= $0 } ?? true
    }
  }

  /// Answers requests.
  ///
  /// - Throws: `LogError` if the log cannot be read.
  func answer(_ requests: [UnitRequest]) throws {
    var divided = DivisionPlan(
      requests, units.context, values,
      hasOutsiders: !needs.isDisjoint(with: [.conversions, .activity]) || common.dimension != nil)
    if needs.contains(.activity) { divided.findLatest(in: units) }
    let plan = divided
    let buckets = WorkQueue(count: units.bucketCount)
    _ = try Workers.run(min(jobs, units.bucketCount)) { _ in
      var run = DivisionRun(plan)
      var order = UnitOrder(bucketCount: units.bucketCount)
      while let bucket = buckets.next() {
        try order.forEachArrival(ofBucket: bucket, of: units) { run.apply($0) }
      }
      run.finish()
    }
    plan.finish()
  }
}
