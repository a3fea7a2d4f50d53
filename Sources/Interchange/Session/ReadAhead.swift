import Threads

/// The batches of an input in order.
protocol BatchQueue: AnyObject {
  /// A batch, which one thread at a time fills or empties in place.
  typealias Batch = Monitor<RecordBatch>

  /// Returns the next batch, which must be given back by ``recycle(_:)``. There is none after a batch with an ending.
  func next() -> Batch

  /// Gives back a batch, whose buffers are used again.
  func recycle(_ batch: Batch)

  /// Ends reading. A thread that waits for input ends when some arrives.
  func cancel()
}

/// The batches of an input in order, read by a thread of their own while the caller works on those before.
final class ReadAhead<Source: RecordSource>: BatchQueue {

  /// The number of batches, of which one is being read and one is being worked on.
  private static var batchCount: Int { 4 }

  /// The batches between the two threads.
  private struct Queue {
    var filled: [Batch] = []
    var free: [Batch]
    var isCancelled = false
  }

  private let queue: Monitor<Queue>
  private let reader: Reader
  /// Whether a thread reads; otherwise ``next()`` does.
  private let isThreaded: Bool

  /// Begins reading.
  ///
  /// - Parameters:
  ///   - reader: The reader of the batches.
  ///   - isThreaded: Whether to read ahead. If the system has no thread left, `next()` reads.
  init(_ reader: RecordBatchReader<Source>, isThreaded: Bool) {
    let count = isThreaded ? Self.batchCount : 1
    let queue = Monitor(Queue(free: (0..<count).map { _ in Monitor(RecordBatch()) }))
    let reader = Reader(reader)
    self.queue = queue
    self.reader = reader
    self.isThreaded = isThreaded && Workers.detach { Self.read(reader, queue) }
  }

  func next() -> Batch {
    if isThreaded { return queue.wait { $0.filled.isEmpty ? nil : $0.filled.removeFirst() } }
    let batch = queue.withLock { $0.free.popLast() } ?? Monitor(RecordBatch())
    reader.fill(batch)
    return batch
  }

  func recycle(_ batch: Batch) {
    queue.withLock {
      $0.free.append(batch)
      queue.announce()
    }
  }

  func cancel() {
    queue.withLock {
      $0.isCancelled = true
      queue.announce()
    }
  }

  /// Reads batches until one has an ending or reading is cancelled.
  private static func read(_ reader: Reader, _ queue: Monitor<Queue>) {
    while let batch = free(of: queue) {
      let isLast = reader.fill(batch)
      queue.withLock {
        $0.filled.append(batch)
        queue.announce()
      }
      if isLast { return }
    }
  }

  /// Waits for a batch that can be filled; nil once reading is cancelled.
  private static func free(of queue: Monitor<Queue>) -> Batch? {
    queue.wait { queue -> Batch?? in
      if queue.isCancelled { return .some(nil) }
      return queue.free.isEmpty ? nil : .some(queue.free.removeLast())
    }
  }

  /// The reader of the batches.
  private final class Reader: Sendable {
    // Safety: it is used by the thread that reads.
    nonisolated(unsafe) private var batches: RecordBatchReader<Source>

    // Safety: as above.
    init(_ batches: RecordBatchReader<Source>) { unsafe self.batches = batches }

    /// Fills a batch, and returns whether it has an ending.
    @discardableResult
    func fill(_ batch: Batch) -> Bool {
      batch.withLock { batch in
        // Safety: as above; the lock is that of the batch.
        unsafe batches.fill(&batch)
        return batch.ending != nil
      }
    }
  }
}
