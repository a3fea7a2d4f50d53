internal import Events

/// Merges the events of several logs in one order: by event time, at equal times by the id of their log, then by their
/// position in it. The order does not depend on the order in which the logs are given.
///
/// Of events of the same kind, id, slot and content, in one log or several, only the first in this order is kept.
/// Events that share an id and differ are all kept, and counted; so are events without id.
///
/// Memory: 16 bytes for each event of all logs (24 while they are sorted), the names of all logs, a frame of one log,
/// and 32,768 events at a time. A frame is read once for each such slice of the result that has an event of it: about
/// twice if a log is nearly in the order of time, up to (number of events) / 32,768 times if it is in random order.
public struct LogMerge {
  /// The result of a merge.
  public struct Summary: Hashable, Sendable {
    /// The number of events appended.
    public var written: UInt64 = 0
    /// The number of events dropped as duplicates of an event with the same id and content.
    public var duplicates: UInt64 = 0
    /// The number of events kept although another has their kind, id and slot, because the content differs.
    public var differing: UInt64 = 0
  }

  /// An event of any of the logs.
  private struct Key: Comparable {
    var time: Int64
    /// Its position, plus the number of events of all logs before its own.
    var index: UInt64

    static func < (a: Key, b: Key) -> Bool {
      a.time != b.time ? a.time < b.time : a.index < b.index
    }
  }

  /// The logs in ascending order of their ids.
  private let logs: [LogReader]
  private let sliceCount: Int

  /// Creates a merge of some logs; those without an id, which have no event yet, add nothing.
  ///
  /// - Throws: ``LogError/Code/sameLog`` if two of them have the same id: they are copies of one log, whose events
  ///   would be duplicated.
  public init(_ logs: [LogReader]) throws(LogError) {
    try self.init(logs, sliceCount: 1 << 15)
  }

  init(_ logs: [LogReader], sliceCount: Int) throws(LogError) {
    self.sliceCount = sliceCount
    self.logs = logs.filter { $0.id != nil }.sorted {
      ($0.id?.bytes ?? []).lexicographicallyPrecedes($1.id?.bytes ?? [])
    }
    for (log, next) in zip(self.logs, self.logs.dropFirst()) where log.id == next.id {
      throw LogError(
        .sameLog, "this is the same log as \(log.path), or a copy of it; name one of them once",
        path: next.path)
    }
  }

  /// The number of events of all logs.
  public var eventCount: UInt64 { logs.reduce(0) { $0 + $1.eventCount } }

  /// A seed for the resulting log, so that the same logs give the same bytes: derived from the ids of the logs and
  /// their numbers of events.
  public var seed: UInt64 {
    logs.reduce(0x6D65_7267_6500_0000) {
      StableHash.of(Array("\($0) \($1.id?.description ?? "") \($1.eventCount)".utf8)[...])
    }
  }

  /// Appends the events to a log.
  ///
  /// - Parameters:
  ///   - writer: The log; it is committed at the end, and finished if ``LogFilling`` began it.
  ///   - temporaryFolder: The folder for fingerprints of ids that do not fit into 64 MiB of memory.
  ///   - progress: Called after each slice with the number of events processed.
  /// - Returns: The numbers of appended and dropped events.
  /// - Throws: ``LogError`` if a log cannot be read or written, and errors of `progress`.
  public func write(
    to writer: LogWriter, temporaryFolder: String, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> Summary {
    let keys = try sortedKeys()
    let names = try logs.map { log throws(LogError) in try LogNames(log, Set(Vocabulary.allCases)) }
    var ids = EventIDs(temporaryFolder: temporaryFolder)
    var summary = Summary()
    for start in stride(from: 0, to: keys.count, by: sliceCount) {
      let slice = keys[start..<min(start + sliceCount, keys.count)]
      for record in try records(of: slice, names) {
        switch try ids.insert(record) {
        case .same:
          summary.duplicates += 1
          continue
        case .differing: summary.differing += 1
        case .new: break
        }
        try writer.append(parsed: record)
        summary.written += 1
      }
      try progress(UInt64(slice.endIndex))
    }
    try writer.commit()
    try LogFilling.finish([writer])
    return summary
  }

  private func sortedKeys() throws -> [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(Int(eventCount))
    let known = Set(EventKind.allCases.map(\.rawValue))
    var before: UInt64 = 0
    for log in logs {
      try log.forEachBatch(.time) { batch in
        let first = before + batch.basePosition
        for row in 0..<batch.count where known.contains(batch.kinds[row]) {
          keys.append(Key(time: batch.times[row], index: first + UInt64(row)))
        }
      }
      before += log.eventCount
    }
    keys.sort()
    return keys
  }

  /// Returns the events of some keys, in the order of the keys.
  private func records(
    of slice: ArraySlice<Key>, _ names: [LogNames]
  ) throws(LogError) -> [EventRecord] {
    var records = [EventRecord](repeating: EventRecord(), count: slice.count)
    let wanted = slice.enumerated().map { (index: $1.index, place: $0) }
      .sorted { $0.index < $1.index }
    var next = 0
    var before: UInt64 = 0
    for (log, names) in zip(logs, names) {
      for frame in log.frames where frame.isKnown {
        guard next < wanted.count else { return records }
        let end = before + frame.endPosition
        guard wanted[next].index < end else { continue }
        var rows = try RowReader(FrameReader(log: log, frame: frame), names)
        var record = EventRecord()
        var index = before + frame.basePosition
        while next < wanted.count, wanted[next].index < end {
          let isThere = try rows.next(into: &record)
          guard isThere || index != wanted[next].index else {
            throw log.damage("event \(index - before) is lost; merge whole logs", frame)
          }
          if index == wanted[next].index {
            records[wanted[next].place] = record
            next += 1
          }
          index += 1
        }
      }
      before += log.eventCount
    }
    return records
  }
}

/// The ids of the events so far.
private struct EventIDs {
  /// The relation of an event to those before it.
  enum Occurrence {
    case new
    case same
    case differing
  }

  private let fingerprint = RecordFingerprint(key: .random())
  private let folder: String
  private var known: FingerprintMap

  init(temporaryFolder: String) {
    folder = temporaryFolder
    known = FingerprintMap(directory: temporaryFolder, memoryCapacity: 1 << 20)
  }

  /// Records an event, and returns whether an earlier one has its identity; one without id is always new.
  mutating func insert(_ record: EventRecord) throws(LogError) -> Occurrence {
    guard record[.id].isPresent else { return .new }
    let event = fingerprint.identity(of: record)
    do throws(FingerprintMapError) {
      switch try known.has(event) {
      case true?: return .same
      case false?:
        try known.addOther(event)
        return .differing
      case nil:
        try known.addFirst(event)
        return .new
      }
    } catch {
      throw LogError(.inputOutput, error.description, path: folder)
    }
  }
}
