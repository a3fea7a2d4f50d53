import Events
import Threads

@testable import Interchange

/// What became of all records of an input.
struct ReadOutcome: Equatable {
  var events: [String] = []
  var lines: [Int] = []
  var ignored: [String] = []
  var rejected: [RejectedRecord] = []
  var blankLines: Int64 = 0
  var textBytes: Int64 = 0
  var failure: String?

  init(_ next: () -> (batch: Monitor<RecordBatch>, recycle: () -> Void)) {
    while true {
      let (batch, recycle) = next()
      let isLast = batch.withLock { batch in
        for event in batch.events.prefix(batch.count) {
          var line: [UInt8] = []
          JSONLines.append(event, to: &line)
          events.append(String(decoding: line, as: UTF8.self))
        }
        lines += batch.facts.map(\.line)
        ignored += batch.ignored
        rejected += batch.rejected
        (blankLines, textBytes) = (batch.progress.blankLines, batch.progress.textBytes)
        switch batch.ending {
        case .failed(let error): failure = error.description
        case .rejected: failure = "stopped"
        case .end, nil: break
        }
        return batch.ending != nil
      }
      if isLast { return }
      recycle()
    }
  }
}

extension ReadOutcome {
  /// Reads one record after the other.
  static func alone(_ source: some RecordSource, _ filter: DuplicateFilter, stops: Bool = false) -> ReadOutcome {
    var reader = RecordBatchReader(source, filter.inspector, stopsAtRejected: stops)
    return ReadOutcome {
      let batch = Monitor(RecordBatch())
      batch.withLock { reader.fill(&$0) }
      return (batch, {})
    }
  }

  /// Reads in pieces by some threads; nil if there is no thread.
  static func inPieces(
    _ source: some PieceSource, _ filter: DuplicateFilter, stops: Bool = false, threads: Int, pieceSize: Int
  ) -> ReadOutcome? {
    let reader = RecordBatchReader(source, filter.inspector, stopsAtRejected: stops)
    guard let pieces = PieceReading(reader, threads: threads, pieceSize: pieceSize) else { return nil }
    defer { pieces.cancel() }
    return ReadOutcome {
      let batch = pieces.next()
      return (batch, { pieces.recycle(batch) })
    }
  }
}
