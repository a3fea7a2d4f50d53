import Threads

/// A batch, which one thread at a time fills or empties in place.
typealias Batch = Monitor<RecordBatch>

/// Hands batches from the threads that fill them to the one that empties them, and back.
final class BatchExchange: Sendable {
  private struct State {
    /// Those that were filled, by their number.
    var filled: [Int: Batch] = [:]
    var free: [Batch]
    var isCancelled = false
  }

  private let state: Monitor<State>

  /// Creates an exchange of so many batches.
  init(_ count: Int) { state = Monitor(State(free: (0..<count).map { _ in Batch(RecordBatch()) })) }

  /// Waits for the batch of a number.
  func take(_ number: Int) -> Batch { state.wait { $0.filled.removeValue(forKey: number) } }

  /// Hands over the batch of a number.
  func give(_ batch: Batch, _ number: Int) {
    state.withLock {
      $0.filled[number] = batch
      state.announce()
    }
  }

  /// Waits for a batch that can be filled; nil once reading is cancelled.
  func free() -> Batch? {
    state.wait { state -> Batch?? in
      if state.isCancelled { return .some(nil) }
      return state.free.isEmpty ? nil : .some(state.free.removeLast())
    }
  }

  /// Gives back a batch, whose buffers are used again.
  func recycle(_ batch: Batch) {
    state.withLock {
      $0.free.append(batch)
      state.announce()
    }
  }

  func cancel() {
    state.withLock {
      $0.isCancelled = true
      state.announce()
    }
  }
}

/// The batches of an input in order.
protocol BatchQueue: AnyObject {
  var exchange: BatchExchange { get }

  /// Returns the next batch, which must be given back by ``recycle(_:)``. There is none after a batch with an ending.
  func next() -> Batch
}

extension BatchQueue {
  /// Gives back a batch, whose buffers are used again.
  func recycle(_ batch: Batch) { exchange.recycle(batch) }

  /// Ends reading. A thread that waits for input ends when some arrives.
  func cancel() { exchange.cancel() }
}

/// A reader of batches that goes to a thread.
final class ReaderOfThread<Source: RecordSource>: Sendable {
  // Safety: one thread at a time uses it: the one that it was made for, or those that hold the lock beside it.
  nonisolated(unsafe) private var reader: RecordBatchReader<Source>

  // Safety: as above.
  init(_ reader: RecordBatchReader<Source>) { unsafe self.reader = reader }

  /// Calls the closure with the reader and a batch.
  func use<Answer: Sendable>(
    on batch: Batch, _ body: (inout RecordBatchReader<Source>, inout RecordBatch) -> Answer
  ) -> Answer {
    // Safety: as above; the lock is that of the batch.
    batch.withLock { batch in unsafe body(&reader, &batch) }
  }
}
