import Platform
import Threads

/// The batches of an input in order, read by several threads from pieces of it, while the caller works on those before.
/// What they hold does not depend on the number of threads.
final class PieceReading<Source: PieceSource>: BatchQueue {
  /// The size of a piece in bytes, unless a record is larger.
  static var pieceSize: Int { 1 << 17 }
  /// The most threads that read.
  private static var mostThreads: Int { 8 }

  let exchange: BatchExchange
  /// What the input's times say after the batches that were taken, for those that are cut.
  private let known: Monitor<InputTimes>
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
    let (exchange, known) = (BatchExchange(threads + 2), Monitor(reader.source.times))
    (self.exchange, self.known) = (exchange, known)
    let cutter = Cutter(reader, pieceSize)
    let started = (0..<threads).filter { _ in
      let reader = ReaderOfThread(reader)
      return Workers.detach { Self.read(cutter, reader, exchange, known) }
    }
    if started.isEmpty { return nil }
  }

  func next() -> Batch {
    let batch = exchange.take(number)
    number += 1
    batch.withLock { accept(&$0) }
    let times = times
    known.withLock { $0 = times }
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

  /// Cuts pieces and reads them until the input ends or reading is cancelled.
  private static func read(
    _ cutter: Cutter, _ reader: ReaderOfThread<Source>, _ exchange: BatchExchange, _ known: Monitor<InputTimes>
  ) {
    while let batch = exchange.free() {
      guard let number = cutter.cut(batch, known.withLock { $0 }) else { return }
      let isLast = reader.use(on: batch) { reader, batch in
        if batch.ending == nil { reader.read(&batch, batch.piece.times) }
        return batch.ending != nil
      }
      exchange.give(batch, number)
      if isLast { return }
    }
  }

  /// Cuts pieces off the input, for one thread after the other.
  private final class Cutter: Sendable {
    private struct State {
      var number = 0
      var hasEnded = false
    }

    private let state = Monitor(State())
    // It is used only under the lock of the state.
    private let reader: ReaderOfThread<Source>
    private let pieceSize: Int

    init(_ reader: RecordBatchReader<Source>, _ pieceSize: Int) {
      self.reader = ReaderOfThread(reader)
      self.pieceSize = pieceSize
    }

    /// Cuts the piece of a batch, and returns the batch's number; nil behind the last.
    func cut(_ batch: Batch, _ times: InputTimes) -> Int? {
      state.withLock { state in
        guard !state.hasEnded else { return nil }
        let number = state.number
        state.hasEnded = reader.use(on: batch) { reader, batch in
          reader.cut(&batch, size: pieceSize)
          batch.piece.times = number == 0 ? times : times.ofPiece
          return batch.ending != nil
        }
        state.number += 1
        return number
      }
    }
  }
}
