public import Events

/// Which events are to be erased: all that meet one of the conditions.
public struct Erasure: Hashable, Sendable {
  /// Events of these units, by the bytes of their names.
  public var units: Set<[UInt8]>
  /// Events before this time.
  public var before: Timestamp?

  /// Events of some units, events before some time, or both.
  public init(units: [String] = [], before: Timestamp? = nil) {
    self.units = Set(units.map { Array($0.utf8) })
    self.before = before
  }

  /// The conditions in the codes of a log.
  ///
  /// - Complexity: O(number of units of the log) when units are named.
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

  /// What is noted in the log: that it happened, not to whom.
  func note(_ summary: LogRewriter.ErasureSummary, at position: UInt64) -> String {
    var note = "{\"operation\":\"erase\",\"position\":\(position),\"events\":\(summary.events)"
    note += ",\"names\":\(summary.names),\"units\":\(units.count)"
    if let before { note += ",\"before\":\"\(before)\"" }
    return note + "}"
  }
}

/// Which rows of a log's frames are to be erased.
struct ErasureSelection {
  var units: Set<UInt32>
  var before: Timestamp?

  /// For each row ``AbsentKind/erased`` when its event goes, else 0; nil when all stay.
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
    // What is gone already stays as it went.
    let kinds = try reader.integers(.kind, as: UInt8.self)
    for row in kinds.indices where kinds[row] == AbsentKind.erased || kinds[row] == AbsentKind.lost
    {
      absent[row] = 0
    }
    return absent.contains { $0 != 0 } ? absent : nil
  }
}

/// Finds what has to be rewritten to erase some events.
struct ErasureSearch {
  private let log: LogReader
  private let names: LogNames
  private let selection: ErasureSelection
  /// The names that stay.
  private(set) var used: UsedNames
  /// How many events go.
  private(set) var eventCount: UInt64 = 0
  /// How many names go.
  private(set) var nameCount: UInt64 = 0
  /// The segments that have an event or a name that goes.
  private(set) var segments: Set<Int> = []

  init(_ log: LogReader, _ names: LogNames, _ selection: ErasureSelection) {
    self.log = log
    self.names = names
    self.selection = selection
    used = UsedNames(log)
  }

  /// Looks at every frame, then at the names of every frame.
  mutating func run(_ progress: (UInt64) throws -> Void) throws {
    for frame in log.frames where frame.rows > 0 {
      let reader = FrameReader(log: log, frame: frame)
      let absent = try selection.absentRows(reader)
      if let absent {
        segments.insert(frame.segment)
        eventCount += UInt64(absent.reduce(into: 0) { $0 += $1 == 0 ? 0 : 1 })
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
        for index in 0..<added.codeCount where added.present?[index] ?? true {
          let code = added.firstCode &+ UInt32(truncatingIfNeeded: index)
          if used.contains(code, in: added.vocabulary) { continue }
          nameCount += 1
          segments.insert(frame.segment)
        }
      }
    }
  }
}
