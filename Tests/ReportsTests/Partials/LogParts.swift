import EventLog
import Events
import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

/// A log, and the logs that it is split into by unit.
struct LogParts {
  let folder: TemporaryFolder
  let whole: LogReader
  let parts: [LogReader]

  /// Whether units are erased before the log is split, or from the log and its parts.
  enum Order: CaseIterable { case erasedFirst, splitFirst }

  /// Splits the log of some events into shards.
  init(
    _ events: [Event], into count: Int, erasing units: [String] = [], _ order: Order = .erasedFirst
  ) throws {
    folder = try ReportLog(events).folder
    let paths = (0..<count).map { [folder] in folder.path("log-\($0)") }
    let erase = { (path: String) in
      if !units.isEmpty { _ = try LogRewriter(path).erase(Erasure(units: units)) }
    }
    if order == .erasedFirst { try erase(folder.path("log")) }
    _ = try LogSplit(shardCount: count).write(
      LogReader(folder.path("log")), to: paths, holder: "test")
    if order == .splitFirst { for path in paths + [folder.path("log")] { try erase(path) } }
    whole = try LogReader(folder.path("log"))
    parts = try paths.map { try LogReader($0) }
  }

  /// Random events with many equal times, late events, and names that differ in their bytes only.
  static func events(seed: UInt64, _ count: Int = 3_000) -> [Event] {
    var generator = EventGenerator(seed: seed)
    return generator.events(count).enumerated().map { index, event in
      var event = event
      // Whether ids are shared is known of whole logs only.
      if event.id != nil { event.id = EventID("e-\(index)") }
      event.time = Timestamp(microseconds: event.time.microseconds / 60_000_000 * 60_000_000)
      if case .decision(var decision) = event.payload {
        if generator.random.chance(0.2) {
          decision.variant = generator.random.chance(0.5) ? "caf\u{E9}" : "cafe\u{301}"
        }
        event.payload = .decision(decision)
      }
      return event
    }
  }

  // MARK: Reports

  static func empty(_ report: some Report, dataEnd: Int64?) -> Partial {
    Partial(
      version: "1", numerics: "n", question: PartialQuestion.text(of: report, selection: []),
      dataEnd: dataEnd, shardCount: 0, shards: [], firstPass: 0, given: 0)
  }

  /// Selects an experiment, which a part of a log need not have.
  static func selection(_ experiment: String?, _ names: LogNames) -> UnitSelection {
    var selection = UnitSelection()
    selection.experiments = experiment.map {
      Set([names.code(of: $0, in: .experiments)].compactMap { $0 })
    }
    return selection
  }

  /// Returns the partial of a shard, counted from 0.
  func partial(
    _ report: some Report, _ shard: Int, by dimension: Dimension? = nil, given: [UInt8]? = nil,
    dataEnd: Int64? = nil, experiment: String? = nil
  ) throws -> [UInt8] {
    let passes = try given.map { try Partial(bytes: $0).passes } ?? []
    let reader = parts[shard]
    let own = try #require(UnitShard(number: shard + 1, count: parts.count))
    let exchange = try StateExchange(
      recording: reader, shard: own, given: passes, dataEnd: dataEnd)
    var replay = LogReplay(reader, jobs: 2)
    replay.exchange = exchange
    var selection = Self.selection(experiment, exchange.names)
    selection.dimension = dimension
    let source = ReportSource(report, replay, selection, names: exchange.names)
    var partial = Self.empty(report, dataEnd: dataEnd)
    (partial.shards, partial.shardCount) = ([shard + 1], parts.count)
    partial.eventCount = Int(try reader.eventCount(in: own))
    partial.firstPass = passes.count
    partial.given = given.map { Partial.digest($0) } ?? 0
    if let pass = try report.recordedPass(of: source) { partial.passes = [pass] }
    return partial.bytes
  }

  /// Returns the table of a report that is merged from the partials of all shards, with as many passes as it takes.
  func merged(
    _ report: some Report, by dimension: Dimension? = nil, dataEnd: Int64? = nil,
    experiment: String? = nil
  ) throws -> Table {
    var given: [UInt8]?
    for _ in 0..<8 {
      let files = try Dictionary(
        uniqueKeysWithValues: parts.indices.map {
          (
            "\($0)",
            try partial(
              report, $0, by: dimension, given: given, dataEnd: dataEnd, experiment: experiment)
          )
        })
      var expected = Self.empty(report, dataEnd: dataEnd)
      expected.given = given.map { Partial.digest($0) } ?? 0
      let set = try PartialSet(files.keys.sorted(), expected: expected) { files[$0] ?? [] }
      try set.requireAllShards()
      let passes = try given.map { try Partial(bytes: $0).passes } ?? []
      do {
        return try table(
          report, set, passes, by: dimension, dataEnd, isRecording: false, experiment)
      } catch StateExchange.End.needsPass {
        given = try allPasses(report, set, passes, by: dimension, dataEnd, experiment).bytes
      }
    }
    throw ReportError(.badData, "the report makes too many passes")
  }

  private func table(
    _ report: some Report, _ set: PartialSet, _ given: [StatePass], by dimension: Dimension?,
    _ dataEnd: Int64?, isRecording: Bool, _ experiment: String? = nil
  ) throws -> Table {
    let units = MergedUnits(
      try StateExchange(
        merging: set.parts, given: given, isRecording: isRecording, dataEnd: dataEnd))
    var selection = Self.selection(experiment, units.names)
    selection.dimension = dimension
    return try report.finished(
      ReportSource(report, units, set.common, selection, path: "parts")
    ).table
  }

  private func allPasses(
    _ report: some Report, _ set: PartialSet, _ given: [StatePass], by dimension: Dimension?,
    _ dataEnd: Int64?, _ experiment: String?
  ) throws -> Partial {
    var merged = set.common
    do {
      _ = try table(report, set, given, by: dimension, dataEnd, isRecording: true, experiment)
    } catch StateExchange.End.recorded(let pass) {
      merged.passes = given + [pass]
    }
    (merged.firstPass, merged.given) = (0, 0)
    return merged
  }

  /// Returns the table of the whole log.
  func table(
    _ report: some Report, by dimension: Dimension? = nil, experiment: String? = nil
  ) throws -> Table {
    var selection = Self.selection(experiment, try LogNames(whole, [.experiments]))
    selection.dimension = dimension
    return try report.table(of: LogReplay(whole, jobs: 2), selection)
  }
}
