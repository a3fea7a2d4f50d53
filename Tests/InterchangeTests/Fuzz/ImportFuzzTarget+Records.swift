import EventLog
import Events

@testable import Interchange

// The properties that all importers have.
extension ImportFuzzTarget {
  /// Returns the opening of inputs in a format.
  static func opening(
    _ specification: String, mapping: EventMapping? = nil
  ) throws -> FuzzedImport.Opening {
    let format = try FormatCatalog.standard.named(specification)
    return { (source) throws(ImportError) in try format.open(input(source, mapping)) }
  }

  static func input(_ source: ByteSource, _ mapping: EventMapping? = nil) -> ImportInput {
    ImportInput(
      path: "input", bytes: source, mapping: mapping, experiment: "fuzz",
      waitForInput: { _ in true })
  }

  /// Imports bytes in every way and compares what comes out.
  static func records(_ bytes: [UInt8], _ open: FuzzedImport.Opening) throws {
    let whole = try FuzzedImport(bytes, portion: .max, open)
    for portion in [1, 7] {
      let parts = try FuzzedImport(bytes, portion: portion, open)
      try require(parts == whole, "in portions of \(portion):\n\(parts)\nand whole:\n\(whole)")
    }
    let native = try FuzzedImport(
      whole.accepted.flatMap { $0.flatMap { $0 } }, portion: .max, opening("jsonl"))
    try require(
      native.accepted.flatMap { $0 } == whole.accepted.flatMap { $0 } && native.failure == nil
        && native.rejected.isEmpty, "other events as native JSON Lines:\n\(native)\n\(whole)")
    let rejects = try session(bytes, open, expected: whole)
    guard whole.failure == nil, !whole.rejected.isEmpty else { return }
    try requireStable(rejects, open, whole)
  }

  /// Imports the file of rejects, whose records must be as many, and those that are rejected again the same.
  private static func requireStable(
    _ rejects: [UInt8], _ open: FuzzedImport.Opening, _ first: FuzzedImport
  ) throws {
    let again = try FuzzedImport(rejects, portion: .max) { (source) throws(ImportError) in
      var source = source
      guard let content = try RejectsInput.unwrapped(&source) else {
        throw ImportError(.interrupted, "the rejects are not taken for rejects")
      }
      return try open(content)
    }
    // A quote that is opened and never closed may be closed by a later text.
    guard again.failure == nil, !first.rejected.contains(where: { $0.category == .quoting }) else {
      return
    }
    let filled = first.rejected.filter(hasText).count
    try require(
      again.accepted.count + again.ignored.count + again.rejected.filter(hasText).count == filled,
      "\(filled) rejected, and again \(again)\nof \(first)")
    var rest = first.rejected[...]
    for record in again.rejected where hasText(record) {
      // A carriage return at the end of a text is taken for a part of its line end.
      let text = record.bytes.filter { $0 != 0x0D }
      guard let place = rest.firstIndex(where: { $0.bytes.filter { $0 != 0x0D } == text }) else {
        throw Failure(description: "another text is rejected again: \(record)\nof \(first)")
      }
      rest = rest[(place + 1)...]
    }
  }

  /// Whether a record is more than spaces and line ends, of which one less makes a blank line.
  private static func hasText(_ record: RejectedRecord) -> Bool {
    record.bytes.contains { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
  }

  /// Imports bytes through a session, which must count the same, and returns the file of rejects.
  private static func session(
    _ bytes: [UInt8], _ open: FuzzedImport.Opening, expected: FuzzedImport
  ) throws -> [UInt8] {
    let appender = CountingAppender()
    var rejects: [UInt8] = []
    let session = ImportSession(
      filter: DuplicateFilter(
        key: FingerprintKey(first: 1, second: 2), directory: "/tmp", memoryCapacity: 1 << 16),
      onError: .skip, rejects: RejectsWriter { rejects.append(contentsOf: $0) })
    do throws(ImportError) {
      var source = try open(ByteSource(PortionedInput(bytes, portion: .max)))
      do {
        try session.run(&source, into: appender)
      } catch let error as ImportError {
        throw error
      } catch {
        throw ImportError(.cannotWrite, "\(error)")
      }
    } catch {
      try require(error.code == expected.failure?.code, "the session fails: \(error)")
    }
    let summary = session.summary
    let ignored = summary.ignored.reduce(0) { $0 + $1.count }
    let events = expected.accepted.reduce(0) { $0 + $1.count }
    try require(
      summary.recordsRead == expected.count && summary.rejected == expected.rejected.count
        && ignored == expected.ignored.count
        && summary.recordsRead - ignored - summary.rejected == expected.accepted.count
        && summary.eventCount == events
        && summary.eventsAppended == appender.count,
      "the session counts \(summary), not \(expected)")
    return rejects
  }
}

/// A destination that only counts.
private final class CountingAppender: RecordAppender {
  private(set) var count = 0

  func append(_ record: EventRecord) { count += 1 }

  func commit() {}
}
