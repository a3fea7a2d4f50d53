import Threads

/// The batches of an input in order, read by a thread of their own while the caller works on those before.
final class ReadAhead<Source: RecordSource>: BatchQueue {
  /// The number of batches, of which one is being read and one is being worked on.
  private static var batchCount: Int { 4 }

  let exchange: BatchExchange
  private let reader: ReaderOfThread<Source>
  /// Whether a thread reads; otherwise ``next()`` does.
  private let isThreaded: Bool
  private var number = 0

  /// Begins reading.
  ///
  /// - Parameters:
  ///   - reader: The reader of the batches.
  ///   - isThreaded: Whether to read ahead. If the system has no thread left, `next()` reads.
  init(_ reader: RecordBatchReader<Source>, isThreaded: Bool) {
    let exchange = BatchExchange(isThreaded ? Self.batchCount : 1)
    let reader = ReaderOfThread(reader)
    self.exchange = exchange
    self.reader = reader
    self.isThreaded = isThreaded && Workers.detach { Self.read(reader, exchange) }
  }

  func next() -> Batch {
    defer { number += 1 }
    if isThreaded { return exchange.take(number) }
    let batch = exchange.free() ?? Batch(RecordBatch())
    Self.fill(batch, reader)
    return batch
  }

  /// Reads batches until one has an ending or reading is cancelled.
  private static func read(_ reader: ReaderOfThread<Source>, _ exchange: BatchExchange) {
    var number = 0
    while let batch = exchange.free() {
      let isLast = fill(batch, reader)
      exchange.give(batch, number)
      number += 1
      if isLast { return }
    }
  }

  /// Fills a batch, and returns whether it has an ending.
  @discardableResult
  private static func fill(_ batch: Batch, _ reader: ReaderOfThread<Source>) -> Bool {
    reader.use(on: batch) { reader, batch in
      reader.fill(&batch)
      return batch.ending != nil
    }
  }
}
