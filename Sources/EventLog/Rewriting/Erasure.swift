public import Events

/// A selection of events to erase: all that meet one of the conditions.
public struct Erasure: Hashable, Sendable {
  /// Events of these units, by the bytes of their names.
  public var units: Set<[UInt8]>
  /// Events before this time.
  public var before: Timestamp?

  /// Creates a selection of the events of some units, events before some time, or both.
  public init(units: [String] = [], before: Timestamp? = nil) {
    self.units = Set(units.map { Array($0.utf8) })
    self.before = before
  }

  /// The result of an erasure, or of its preview.
  public struct Summary: Hashable, Sendable {
    /// The number of events erased.
    public var events: UInt64 = 0
    /// The number of names erased, because no other event uses them.
    public var names: UInt64 = 0
    /// The number of remaining names that equal the name of an erased unit, because other events mention it.
    public var mentions: UInt64 = 0
    /// The number of files removed from the quarantine.
    public var quarantined = 0
    /// The segments rewritten, and their sizes.
    public var rewritten = LogRewriter.Summary()
  }

  /// Returns what erasing would do to a log, without changing anything.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - progress: Called with the number of events processed.
  /// - Returns: What would be erased, and how many segments would be rewritten.
  /// - Throws: ``LogError`` if the log cannot be read, and errors of `progress`.
  /// - Complexity: O(number of events), in time; memory for a frame, and a bit for each name.
  public func preview(
    _ log: LogReader, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> Summary {
    let search = try search(log, progress)
    var summary = search.summary
    summary.rewritten.segments = search.segments.count
    return summary
  }

  func search(
    _ log: LogReader, _ progress: (UInt64) throws -> Void
  ) throws -> ErasureSearch {
    let names = try LogNames(log, [.shapes, .lists, .attributes])
    var search = ErasureSearch(log, names, try selection(in: log), units)
    try search.run(progress)
    return search
  }

  /// Returns the conditions in the codes of a log.
  ///
  /// - Complexity: O(number of units of the log) if units are named.
  func selection(in log: LogReader) throws(LogError) -> ErasureSelection {
    var codes: Set<UInt32> = []
    if !units.isEmpty {
      let names = try LogNames(log, [.units])
      for code in Vocabulary.units.firstCode..<log.codeLimit(.units) {
        if let name = try names.unit(code), units.contains(Array(name)) { codes.insert(code) }
      }
    }
    return ErasureSelection(units: codes, before: before)
  }

  /// Returns the note that is recorded in the log: that an erasure happened, not of whom.
  func note(_ summary: Summary, at position: UInt64) -> String {
    var note = "{\"operation\":\"erase\",\"position\":\(position),\"events\":\(summary.events)"
    note += ",\"names\":\(summary.names),\"units\":\(units.count)"
    if let before { note += ",\"before\":\"\(before)\"" }
    return note + "}"
  }
}

/// The rows of a log's frames to erase.
struct ErasureSelection {
  var units: Set<UInt32>
  var before: Timestamp?

  /// Returns for each row ``AbsentKind/erased`` if its event is erased, else 0; nil if all stay.
  func absentRows(_ reader: FrameReader) throws(LogError) -> [UInt8]? {
    guard reader.frame.rows > 0 else { return nil }
    var absent = [UInt8](repeating: 0, count: reader.frame.rows)
    if !units.isEmpty, reader.frame.entry(.unit) != nil {
      let codes = try reader.codes(.unit, in: .units)
      for row in codes.indices where units.contains(codes[row]) { absent[row] = AbsentKind.erased }
    }
    if let before, reader.frame.header.earliest < before.microseconds {
      let times = try reader.integers(.time, as: Int64.self)
      for row in times.indices where times[row] < before.microseconds {
        absent[row] = AbsentKind.erased
      }
    }
    // Removed events stay removed for the reason recorded before.
    let kinds = try reader.integers(.kind, as: UInt8.self)
    for row in kinds.indices where AbsentKind.contains(kinds[row]) { absent[row] = 0 }
    return absent.contains { $0 != 0 } ? absent : nil
  }
}

/// Finds what has to be rewritten to erase some events.
struct ErasureSearch {
  private let log: LogReader
  private let units: Set<[UInt8]>
  let names: LogNames
  let selection: ErasureSelection
  /// The names that stay.
  private(set) var used: UsedNames
  /// The events to erase; nothing is rewritten yet.
  private(set) var summary = Erasure.Summary()
  /// The segments with an event or a name to erase.
  private(set) var segments: Set<Int> = []

  init(
    _ log: LogReader, _ names: LogNames, _ selection: ErasureSelection, _ units: Set<[UInt8]>
  ) {
    self.log = log
    self.names = names
    self.selection = selection
    self.units = units
    used = UsedNames(log)
    let bytes = log.byteCount
    summary.rewritten = LogRewriter.Summary(bytesBefore: bytes, bytesAfter: bytes)
  }

  /// Reads every frame, then the names of every frame.
  mutating func run(_ progress: (UInt64) throws -> Void) throws {
    for frame in log.frames where frame.rows > 0 {
      let reader = FrameReader(log: log, frame: frame)
      let absent = try selection.absentRows(reader)
      if let absent {
        segments.insert(frame.segment)
        summary.events += UInt64(absent.reduce(into: 0) { $0 += $1 == 0 ? 0 : 1 })
      }
      var columns = FrameColumns()
      try FrameTransfer(reader, absent: absent, names: names).append(to: &columns)
      do throws(ColumnError) {
        try used.insert(columns)
      } catch {
        throw log.damage(error.reason, frame)
      }
      try progress(frame.endPosition)
    }
    do throws(ColumnError) {
      try used.insertParts(names)
    } catch {
      throw LogError(.damaged, error.reason, path: log.path)
    }
    try findNames()
  }

  private mutating func findNames() throws(LogError) {
    for frame in log.frames {
      for added in try log.namesAdded(by: frame) {
        var next = 0
        for index in 0..<added.codeCount where added.present?[index] ?? true {
          let code = added.firstCode &+ UInt32(truncatingIfNeeded: index)
          let isUsed = used.contains(code, in: added.vocabulary)
          if !isUsed {
            summary.names += 1
            segments.insert(frame.segment)
          } else if added.vocabulary != .units, units.contains(Array(added.texts[next])) {
            summary.mentions += 1
          }
          next += 1
        }
      }
    }
  }
}
