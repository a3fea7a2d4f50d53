import Events

@testable import EventLog

/// Segments and frames: what is read is an error, or the same by every way of reading.
extension FuzzTarget {
  static func segment(_ bytes: [UInt8]) throws {
    var bytes = bytes
    ForgedSegment.repair(&bytes)
    guard let header = try? SegmentHeader(bytes) else { return }
    // What a newer version may have written into its free bytes is not kept; its checksum is.
    let again = try SegmentHeader(header.bytes)
    try require(
      again.bytes == header.bytes && header.crc == Checksum.crc32c(bytes[..<60]),
      "another header when written again")
    let name = SegmentHeader.fileName(basePosition: header.basePosition)
    try require(
      SegmentHeader.basePosition(fileName: name) == header.basePosition, "\(name) is another")
  }

  /// The segment is the only one of its log. An error must be a `LogError`.
  static func frame(_ bytes: [UInt8]) throws {
    var bytes = bytes
    ForgedSegment.repair(&bytes)
    guard bytes.count >= SegmentHeader.byteCount else { return }
    let base = bytes.littleEndian(UInt64.self, at: 16)
    let name = SegmentHeader.fileName(basePosition: base)
    let disk = MemoryDisk(["log/" + name: bytes])
    do {
      let log = try LogReader("log", disk: disk)
      _ = (log.unknownParts, log.columnUsage(), log.latest, log.earliest)
      let verification = try log.verify(deep: true)
      if verification.problems.isEmpty { try compare(log) }
    } catch is LogError {
      // Refusing is right; what must not happen is a trap, a hang or a wrong answer.
    }
  }

  /// Compares the columns with the rows, and the rows with those of a log to which they are appended.
  private static func compare(_ log: LogReader) throws {
    var records: [EventRecord] = []
    try log.forEachEvent { record, _ in records.append(record) }
    var next = 0
    let attributes: [AttributeSelection] = [.context("country"), .features("price"), .data]
    try log.forEachBatch(EventColumns(rawValue: .max), attributes) { batch in
      for row in 0..<batch.count where EventKind(rawValue: batch.kinds[row]) != nil {
        guard next < records.count else { throw Failure(description: "rows are missing") }
        let record = records[next]
        next += 1
        try require(record.kind.rawValue == batch.kinds[row], "kind of row \(row)")
        try require(record.time.microseconds == batch.times[row], "time of row \(row)")
        for (number, column) in [
          (record.propensity, batch.propensities), (record.value, batch.values),
          (record.revenue, batch.revenues),
        ] {
          try require(number?.bitPattern == column[row]?.bitPattern, "number of row \(row)")
        }
      }
    }
    try require(next == records.count, "\(next) rows and \(records.count) events")
    let copy = MemoryDisk()
    do {
      let writer = try LogWriter("copy", options: LogOptions(seed: 1), disk: copy)
      for record in records { try writer.append(record) }
      try writer.commit()
    }
    var seen = 0
    try LogReader("copy", disk: copy).forEachEvent { record, _ in
      try require(seen < records.count, "more events when written again")
      try require(line(record) == line(records[seen]), "event \(seen) is another")
      seen += 1
    }
    try require(seen == records.count, "\(seen) events of \(records.count) when written again")
  }

  static func line(_ record: EventRecord) -> [UInt8] {
    var output: [UInt8] = []
    JSONLinesEncoder.append(record, to: &output)
    return output
  }

  /// Lines that a decoder reads after others are what a new decoder makes of them, and each holds what ``jsonLine(_:)``
  /// requires.
  static func jsonLines(_ bytes: [UInt8]) throws {
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      var (newDecoder, newRecord) = (JSONLinesDecoder(), EventRecord())
      let expected = outcome(&newDecoder, &newRecord, Array(part))
      let found = outcome(&decoder, &record, Array(part))
      try require(found == expected, "a line is another after other lines")
      try jsonLine(Array(part))
    }
  }

  private static func outcome(
    _ decoder: inout JSONLinesDecoder, _ record: inout EventRecord, _ bytes: [UInt8]
  ) -> Result<[UInt8], JSONLineError> {
    do throws(JSONLineError) {
      try decoder.decode(bytes.span, into: &record)
      return .success(line(record))
    } catch {
      return .failure(error)
    }
  }

  /// A line that is read must be valid, and the same when it is written and read again, whatever the record
  /// and the decoder held before.
  private static func jsonLine(_ bytes: [UInt8]) throws {
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    do throws(JSONLineError) {
      try decoder.decode(bytes.span, into: &record)
    } catch {
      try require(
        error.offset >= 0 && error.offset <= bytes.count, "an error at byte \(error.offset)")
      return
    }
    try record.validate()
    let first = line(record)
    // The same record and decoder once more: what a line leaves behind must not show in the next.
    do throws(JSONLineError) {
      try decoder.decode(first.span, into: &record)
    } catch {
      throw Failure(description: "not read again: \(error)")
    }
    try require(line(record) == first, "another line when written again")
    let event = try Event(record)
    var loaded = EventRecord()
    try loaded.load(event)
    try require(line(loaded) == first, "another line by way of an event")
  }
}
