import Platform
import Threads

/// The batches of an input in order, read by several threads from pieces of it, while the caller works on those before.
/// What they hold does not depend on the number of threads.
final class PieceReading<Source: PieceSource>: BatchQueue {
  /// The size of a piece in bytes, unless a record is larger.
  static var pieceSize: Int { 1 << 17 }
  /// The most threads that read.
  private static var mostThreads: Int { 8 }

  /// The batches between the threads.
  private struct Queue {
    /// Those that were read, by their number.
    var filled: [Int: Batch] = [:]
    var free: [Batch]
    /// What the input's times say after the batches that were taken.
    var times: InputTimes
    var isCancelled = false
  }

  private let queue: Monitor<Queue>
  /// Reads pieces again whose times are other ones than those before them let expect.
  private var reader: RecordBatchReader<Source>
  private var number = 0
  private var times: InputTimes
  private var blankLines: Int64 = 0

  /// Begins reading; nil if the system has no thread left.
  ///
  /// - Parameters:
  ///   - reader: The reader of the batches.
  ///   - threads: The number of threads; nil for one for each processor.
  ///   - pieceSize: The size of a piece in bytes.
  init?(
    _ reader: RecordBatchReader<Source>, threads: Int? = nil, pieceSize: Int = PieceReading.pieceSize
  ) {
    let threads = threads ?? min(SystemLimits.processorCount, Self.mostThreads)
    self.reader = reader
    times = reader.source.times
    let queue = Monitor(
      Queue(free: (0..<threads + 2).map { _ in Batch(RecordBatch()) }, times: reader.source.times))
    self.queue = queue
    let cutter = Cutter(reader, pieceSize)
    let started = (0..<threads).filter { _ in
      let reader = Reader(reader)
      return Workers.detach { Self.read(cutter, reader, queue) }
    }
    if started.isEmpty { return nil }
  }

  func next() -> Batch {
    let number = number
    self.number += 1
    let batch: Batch = queue.wait { $0.filled.removeValue(forKey: number) }
    batch.withLock { accept(&$0) }
    let times = times
    queue.withLock { $0.times = times }
    return batch
  }

  /// Makes a batch what it would be had it been read behind all before it.
  private func accept(_ batch: inout RecordBatch) {
    if !batch.piece.isEmpty, !times.continueBehind(batch.piece.times, batch.times) {
      reader.read(&batch, times)
      times = batch.times
    }
    blankLines += batch.progress.blankLines
    batch.progress.blankLines = blankLines
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

  /// Cuts pieces and reads them until the input ends or reading is cancelled.
  private static func read(_ cutter: Cutter, _ reader: Reader, _ queue: Monitor<Queue>) {
    while let (batch, times) = free(of: queue) {
      guard let number = cutter.cut(batch, times) else { return }
      let isLast = reader.fill(batch)
      queue.withLock {
        $0.filled[number] = batch
        queue.announce()
      }
      if isLast { return }
    }
  }

  /// Waits for a batch that can be filled; nil once reading is cancelled.
  private static func free(of queue: Monitor<Queue>) -> (Batch, InputTimes)? {
    queue.wait { queue -> (Batch, InputTimes)?? in
      if queue.isCancelled { return .some(nil) }
      return queue.free.popLast().map { ($0, queue.times) }
    }
  }

  /// Cuts pieces off the input, for one thread after the other.
  private final class Cutter: Sendable {
    private struct State {
      var number = 0
      var hasEnded = false
    }

    private let state = Monitor(State())
    // Safety: it is used only under the lock of the state.
    nonisolated(unsafe) private var batches: RecordBatchReader<Source>
    private let pieceSize: Int

    // Safety: as above.
    init(_ batches: RecordBatchReader<Source>, _ pieceSize: Int) {
      unsafe self.batches = batches
      self.pieceSize = pieceSize
    }

    /// Cuts the piece of a batch, and returns the batch's number; nil behind the last.
    func cut(_ batch: Batch, _ times: InputTimes) -> Int? {
      state.withLock { state in
        guard !state.hasEnded else { return nil }
        batch.withLock { batch in
          // Safety: as above; the lock is that of the batch.
          unsafe batches.cut(&batch, size: pieceSize)
          batch.piece.times = state.number == 0 ? times : times.ofPiece
          state.hasEnded = batch.ending != nil
        }
        defer { state.number += 1 }
        return state.number
      }
    }
  }

  /// The reader of one thread.
  private final class Reader: Sendable {
    // Safety: one thread uses it.
    nonisolated(unsafe) private var batches: RecordBatchReader<Source>

    // Safety: as above.
    init(_ batches: RecordBatchReader<Source>) { unsafe self.batches = batches }

    /// Fills a batch from its piece, and returns whether it has an ending.
    func fill(_ batch: Batch) -> Bool {
      batch.withLock { batch in
        // Safety: as above; the lock is that of the batch.
        if batch.ending == nil { unsafe batches.read(&batch, batch.piece.times) }
        return batch.ending != nil
      }
    }
  }
}
