import Events

/// A part of an input, read and converted: its events in order, and what became of its other records.
struct RecordBatch: Sendable {
  /// How reading ends after a batch.
  enum Ending: Sendable {
    /// The input ends.
    case end
    /// A record is invalid, and the import stops at such.
    case rejected(RejectedRecord)
    /// The input fails.
    case failed(ImportError)
  }

  /// The events: the first ``count`` of these; the rest is left from earlier batches.
  fileprivate(set) var events: [EventRecord] = []
  /// One for each event.
  private(set) var facts: [EventFacts] = []
  /// The number of records, whatever became of them.
  private(set) var recordCount: Int64 = 0
  /// The kinds of the records that are no events.
  private(set) var ignored: [String] = []
  /// The invalid records, in order.
  private(set) var rejected: [RejectedRecord] = []
  /// The progress in the input after the batch.
  var progress = SourceProgress(fileBytes: 0, textBytes: 0)
  /// The header of the input.
  var header: [UInt8]?
  /// How reading ends; nil if there is more to read.
  var ending: Ending?
  /// The piece of the input that it was read from, if the input is cut into such.
  var piece = InputPiece()
  /// What the input's times say at the end of the piece.
  var times = InputTimes()

  /// The number of events.
  var count: Int { facts.count }

  /// Empties the batch and keeps its buffers.
  mutating func removeAll() {
    facts.removeAll(keepingCapacity: true)
    recordCount = 0
    ignored.removeAll(keepingCapacity: true)
    rejected.removeAll(keepingCapacity: true)
    ending = nil
  }

  /// Takes the events of a record, which are read in place: the next record's follow them.
  mutating func take(_ record: inout ImportedRecord, _ inspector: EventInspector) {
    recordCount += 1
    for index in 0..<record.count { facts.append(inspector.facts(of: &record, at: index)) }
    record.events.first += record.count
  }

  /// Counts a record that is no event.
  mutating func ignore(_ kind: String) {
    recordCount += 1
    ignored.append(kind)
  }

  /// Takes an invalid record.
  mutating func reject(_ record: RejectedRecord) {
    recordCount += 1
    rejected.append(record)
  }

  /// Ends the batch at an invalid record.
  mutating func stop(at record: RejectedRecord) {
    reject(record)
    ending = .rejected(record)
  }
}

/// Reads batches from a source.
struct RecordBatchReader<Source: RecordSource> {
  /// The most events and records of a batch.
  private static var fullCount: Int { 512 }
  /// The text after which a batch ends, in bytes.
  private static var fullByteCount: Int64 { 1 << 18 }

  private(set) var source: Source
  private let inspector: EventInspector
  private let stopsAtRejected: Bool
  private var record = ImportedRecord()
  /// Why nothing more can be cut off.
  private var failure: ImportError?

  init(
    _ source: Source, _ inspector: EventInspector, stopsAtRejected: Bool,
    keepsPlaceholders: Bool = false
  ) {
    self.source = source
    self.inspector = inspector
    self.stopsAtRejected = stopsAtRejected
    record.keepsPlaceholders = keepsPlaceholders
  }

  /// Fills a batch with the next records.
  mutating func fill(_ batch: inout RecordBatch) {
    let start = source.progress.textBytes
    fill(&batch) { [self] batch in isFull(batch, from: start) }
    batch.progress = source.progress
  }

  fileprivate mutating func fill(_ batch: inout RecordBatch, until isFull: (RecordBatch) -> Bool) {
    batch.removeAll()
    record.events.first = 0
    swap(&batch.events, &record.events.all)
    do throws(ImportError) {
      while batch.ending == nil, !isFull(batch) { try read(into: &batch) }
    } catch {
      batch.ending = .failed(error)
    }
    swap(&batch.events, &record.events.all)
    batch.header = source.header
  }

  private func isFull(_ batch: RecordBatch, from start: Int64) -> Bool {
    if batch.count >= Self.fullCount || batch.recordCount >= Self.fullCount { return true }
    guard batch.recordCount % 16 == 15 else { return false }
    return source.progress.textBytes - start >= Self.fullByteCount
  }

  private mutating func read(into batch: inout RecordBatch) throws(ImportError) {
    switch try source.next(&record) {
    case .record where record.count == 0: batch.ignore("records without an event")
    case .record: batch.take(&record, inspector)
    case .ignored(let kind): batch.ignore(kind)
    // A table has placeholders by the thousand, and nothing in it can be fixed.
    case .rejected(let rejected) where stopsAtRejected && !rejected.category.isExpected:
      batch.stop(at: rejected)
    case .rejected(let rejected): batch.reject(rejected)
    case .end: batch.ending = .end
    }
  }
}

extension RecordBatchReader where Source: PieceSource {
  /// Cuts the next records off the input, for a batch that another reader fills with them.
  ///
  /// - Parameters:
  ///   - batch: The batch, which has an ending if nothing more can be cut off: no records then.
  ///   - size: The size of the piece in bytes, if there are so many.
  mutating func cut(_ batch: inout RecordBatch, size: Int) {
    batch.removeAll()
    batch.piece.removeAll()
    do throws(ImportError) {
      if let failure { throw failure }
      try source.cut(to: &batch.piece, size: size)
      if batch.piece.isEmpty { batch.ending = .end }
    } catch {
      // What was cut off before is read first.
      failure = error
      if batch.piece.isEmpty { batch.ending = .failed(error) }
    }
    batch.progress = source.progress
  }

  /// Fills a batch with the records of its piece, before which the input's times say what is given.
  mutating func read(_ batch: inout RecordBatch, _ times: InputTimes) {
    source.begin(batch.piece)
    source.times = times
    fill(&batch) { _ in false }
    if case .end = batch.ending { batch.ending = nil }
    batch.progress.blankLines = source.progress.blankLines
    // That of the piece's end, unless reading stops before.
    batch.progress.textBytes = source.progress.textBytes
    batch.times = source.times
  }
}
