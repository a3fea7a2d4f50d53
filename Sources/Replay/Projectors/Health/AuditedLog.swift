internal import Specifications
internal import Threads

/// The audit of one or more logs, with the number of their events, as a state of a pass over units.
package final class AuditedLog: UnitSlotting {
  /// What was counted.
  package struct Counts: Sendable {
    package var audit: LogAudit
    /// The events that could not be read.
    package var unreadable: Int
    /// The positions of the logs.
    package var positions: Int

    package init(audit: LogAudit, unreadable: Int, positions: Int) {
      (self.audit, self.unreadable, self.positions) = (audit, unreadable, positions)
    }
  }

  private let content: Monitor<Counts>

  /// The counts of all logs.
  package var counts: Counts { content.withLock { $0 } }

  package init(_ counts: Counts = Counts(audit: LogAudit(), unreadable: 0, positions: 0)) {
    content = Monitor(counts)
  }

  var needs: UnitNeeds { [] }
  var bytesPerGroup: Int { 0 }
  var bytesPerRow: Int { 0 }

  func makeRun(_ context: UnitContext) -> any UnitRunning { Run() }

  func written(_ context: UnitContext, _ codes: StateCodes) throws(StateError) -> [UInt8] {
    var writer = StateWriter()
    Self.write(counts, to: &writer)
    var reader = StateReader(writer.bytes)
    let translated = try Self.read(&reader, codes)
    writer.removeAll()
    Self.write(translated, to: &writer)
    return writer.bytes
  }

  func add(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    let more = try Self.read(&reader, codes)
    content.withLock { counts in
      counts.audit.merge(more.audit)
      counts.unreadable += more.unreadable
      counts.positions += more.positions
    }
  }

  private static func write(_ counts: Counts, to writer: inout StateWriter) {
    counts.audit.write(to: &writer)
    writer.write(tally: counts.unreadable)
    writer.write(tally: counts.positions)
  }

  private static func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> Counts {
    Counts(
      audit: try LogAudit(from: &reader, codes), unreadable: try reader.readTally(),
      positions: try reader.readTally())
  }

  /// Sees no units: the log is audited row by row.
  private final class Run: UnitRunning {
    func apply(_ history: Span<UnitEvent>, _ lateness: Int64) {}
    var groupCount: Int { 0 }
    var groupKind: GroupLimitError.Kind { .variants }
    func finish() {}
  }
}
