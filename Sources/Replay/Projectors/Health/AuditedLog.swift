package import Specifications
internal import Threads

/// The audit of one or more logs, with the number of their events, as a state of a pass over units.
package final class AuditedLog: UnitSlotting {
  /// The counts.
  package struct Counts: StateFields {
    package var audit: LogAudit
    /// The positions of the logs.
    package var positions: Int

    package init(audit: LogAudit = LogAudit(), positions: Int = 0) {
      (self.audit, self.positions) = (audit, positions)
    }

    package mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&audit, other.audit)
      visit(&positions, other.positions)
    }
  }

  private let content: Monitor<Counts>

  /// The counts of all logs.
  package var counts: Counts { content.withLock { $0 } }

  package init(_ counts: Counts = Counts()) {
    content = Monitor(counts)
  }

  package var needs: UnitNeeds { [] }
  package var bytesPerGroup: Int { 0 }
  package var bytesPerRow: Int { 0 }

  package func makeRun(_ context: UnitContext) -> any UnitRunning { Run() }

  package func written(_ context: UnitContext, _ codes: StateCodes) throws(StateError) -> [UInt8] {
    var writer = StateWriter()
    counts.write(to: &writer)
    var reader = StateReader(writer.bytes)
    var translated = Counts()
    try codes.read(&translated, from: &reader)
    writer.removeAll()
    translated.write(to: &writer)
    return writer.bytes
  }

  package func add(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    var more = Counts()
    try codes.read(&more, from: &reader)
    content.withLock { $0.merge(more) }
  }

  /// Sees no units: the log is audited row by row.
  private final class Run: UnitRunning {
    func apply(_ history: Span<UnitEvent>, _ lateness: Int64) {}
    var groupCount: Int { 0 }
    var groupKind: GroupLimitError.Kind { .variants }
    func finish() {}
  }
}
