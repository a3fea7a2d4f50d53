import ArgumentParser
import EventLog
import Events
import Replay
import Reports
import Statistics
import Tables

/// Makes a report of the parts of a log: writes partials, and merges them.
struct PartialReport<Made: Report> {
  let report: Made
  let options: PartialOptions
  let replay: ReplayOptions<Made>
  let output: OutputOptions

  // MARK: Writing

  /// Writes the partial of a log.
  ///
  /// - Throws: ``Failure`` if the report has no partials, or the log has units of other parts; errors of the log.
  func record(_ log: LogArgument, to path: String) throws {
    guard !log.isDatabase else {
      throw Failure(
        exitCode: Failure.usage,
        "\(log.log) is a database, which does not support --partial; give the log itself")
    }
    try checkSupport()
    let (given, digest) = try givenPasses()
    try replay.replayingPart(
      log,
      {
        try StateExchange(
          recording: $0, shard: options.shard ?? .whole, given: given,
          dataEnd: dataEnd?.microseconds)
      },
      dimension: report.dimension ?? replay.by
    ) { replayed in
      let reader = replayed.replay.log
      try check(reader)
      let source = ReportSource(
        report, replayed.replay, replayed.selection, names: replayed.names, isExplained: true)
      var partial = empty(shard: options.shard ?? .whole, firstPass: given.count, given: digest)
      partial.eventCount = Int(
        clamping: try reader.eventCount(in: options.shard ?? .whole))
      partial.latest = reader.latest?.microseconds
      guard let pass = try report.recordedPass(of: source) else {
        throw Failure(
          exitCode: Failure.usage,
          "every pass of \(Made.name) is known from --given; make the report with --merge")
      }
      partial.passes = [pass]
      partial.missing = try replay.missingNames(in: reader, report.dimension ?? replay.by)
      partial.losses = reader.losses.map { "\($0)" }
      partial.lostEventCount = Int(clamping: reader.lostEventCount)
      try write(partial, to: path)
    }
  }

  private func checkSupport() throws {
    switch report.partials {
    case .byUnits: return
    case .byUnitsOfOneExperiment:
      guard Set(replay.experiment).count != 1 else { return }
      throw Failure(
        exitCode: Failure.usage,
        "\(Made.name) is made of parts of a log for one experiment at a time; name one with --experiment"
      )
    case .byUnitsUntilEnd:
      guard options.dataEnd == nil, options.merge.isEmpty else { return }
      throw Failure(
        exitCode: Failure.usage,
        "what a unit adds to \(Made.name) depends on the end of the data; give all partials the same --data-end, such "
          + "as the latest time of `bandolier log info`"
      )
    case .none(let instead):
      throw Failure(
        exitCode: Failure.usage, "\(Made.name) cannot be made of parts of a log; \(instead)")
    }
  }

  private func check(_ reader: LogReader) throws {
    guard let shard = options.shard, let unit = try shard.firstForeignUnit(of: reader) else {
      return
    }
    let name = String(decoding: unit, as: UTF8.self)
    let own = LogSplit(shardCount: shard.count).shard(of: unit[...]) + 1
    throw Failure(
      exitCode: Failure.badData,
      "\(reader.path): unit \"\(name)\" belongs to shard \(own)/\(shard.count), not \(shard); split the log with "
        + "`bandolier log split --into \(shard.count)`"
    )
  }

  private func write(_ partial: Partial, to path: String) throws {
    let bytes = partial.bytes
    let file = try AtomicFile(path: path, force: output.force)
    do {
      try file.append(bytes)
      try file.commit()
    } catch {
      file.abandon()
      throw error
    }
    let shards =
      partial.shards.count == 1
      ? "shard \(partial.shards[0])/\(partial.shardCount)"
      : "\(partial.shards.count) of \(partial.shardCount) shards"
    Message.print("wrote \(path): \(shards), \(partial.eventCount) events, \(bytes.count) bytes")
  }

  // MARK: Merging

  /// Merges partials, and passes the report to the closure; with `--partial` the merged states are written instead.
  ///
  /// - Throws: ``PartialSet/Refusal`` if partials do not belong together or some are missing.
  func merge(_ body: (ReportResult, ReportSource) throws -> Void) throws {
    try checkSupport()
    let paths = try options.mergedPaths()
    var (given, digest) = try givenPasses()
    var expected = empty(shard: nil, firstPass: 0, given: digest)
    if options.dataEnd == nil, let first = paths.first {
      let (partial, _) = try PartialSet.partial(first, PartialOptions.read)
      expected.dataEnd = partial.dataEnd
      if paths.count == 1, partial.firstPass == 0 { given = Array(partial.passes.dropLast()) }
    }
    let set = try PartialSet(paths, expected: expected, read: PartialOptions.read)
    if set.common.given == 0, paths.count == 1 { digest = 0 }
    guard set.pass == given.count, set.common.given == digest else {
      throw PartialSet.Refusal(
        "\(paths[0]) is of pass \(set.pass + 1) of the report; give --merge the --given that the partials were made "
          + "with"
      )
    }
    if options.partial == nil {
      try set.requireAllShards()
      try replay.refuse(missing: set.common.missing, path: options.merge[0])
    }
    let exchange = try StateExchange(
      merging: set.parts, given: given, isRecording: options.partial != nil,
      dataEnd: expected.dataEnd)
    try finish(set, given, exchange, body)
  }

  private func finish(
    _ set: PartialSet, _ given: [StatePass], _ exchange: StateExchange,
    _ body: (ReportResult, ReportSource) throws -> Void
  ) throws {
    let units = MergedUnits(exchange)
    func source(_ selection: UnitSelection) -> ReportSource {
      ReportSource(
        report, units, set.common, selection, path: options.merge[0],
        message: { Message.print($0) })
    }
    var selection = UnitSelection()
    selection.dimension = replay.by
    selection.calendar = replay.calendar
    selection.experiments = try replay.experimentCodes(source(selection).lookup)
    do {
      let source = source(selection)
      try body(try report.finished(source), source)
      DamageOptions.print(set.common.losses, UInt64(set.common.lostEventCount))
    } catch StateExchange.End.recorded(let pass) {
      var merged = set.common
      let isWhole = merged.shards.count == merged.shardCount
      merged.passes = isWhole ? given + [pass] : [pass]
      merged.firstPass = isWhole ? 0 : given.count
      merged.given = isWhole ? 0 : merged.given
      try write(merged, to: options.partial ?? "")
    } catch StateExchange.End.needsPass {
      throw PartialSet.Refusal(
        "\(Made.name) makes another pass over the log: merge with --partial FILE, make the partials of all shards "
          + "again with --given FILE, and merge those with --given FILE"
      )
    }
  }

  // MARK: Common

  private var dataEnd: Timestamp? { options.dataEnd?.time(in: replay.calendar) }

  /// The passes before, and the digest of the file that they are from.
  private func givenPasses() throws -> ([StatePass], UInt64) {
    guard let path = options.given else { return ([], 0) }
    let (partial, digest) = try PartialSet.partial(path, PartialOptions.read)
    var expected = empty(shard: nil, firstPass: 0, given: 0)
    if options.dataEnd == nil { expected.dataEnd = partial.dataEnd }
    try PartialSet.check(partial, path, expected)
    guard partial.firstPass == 0, partial.shards.count == partial.shardCount else {
      throw PartialSet.Refusal(
        "\(path) is not the merged partial of all shards, which --merge writes with --partial")
    }
    return (partial.passes, digest)
  }

  /// A partial of this question, without states.
  private func empty(shard: UnitShard?, firstPass: Int, given: UInt64) -> Partial {
    Partial(
      version: Bandolier.configuration.version, numerics: "\(NumericsMark.current)",
      question: PartialQuestion.text(of: report, selection: replay.question),
      dataEnd: dataEnd?.microseconds, shardCount: shard?.count ?? 0,
      shards: shard.map { [$0.number] } ?? [], firstPass: firstPass, given: given)
  }
}
