internal import Tables
internal import Threads

/// Lines on their way to standard error, written by a thread of their own, so that a slow reader delays no request.
final class LineQueue: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    /// The lines that were dropped because the reader is too slow.
    var dropped = 0
    var isWriting = false
    var isClosed = false
  }

  /// The maximum number of bytes that wait.
  private static let limit = 4 << 20

  private let state = Monitor(State())

  /// Starts the thread. If the system has none left, lines are dropped.
  init() {
    let state = state
    let isStarted = Workers.detach { Self.write(state) }
    if !isStarted { state.withLock { $0.isClosed = true } }
  }

  /// Adds a line, with its line feed; drops it if too many bytes wait.
  func add(_ line: [UInt8]) {
    state.withLock { state in
      guard !state.isClosed else { return }
      if state.bytes.count + line.count > Self.limit {
        state.dropped += 1
      } else {
        state.bytes += line
      }
      // A thread that is writing looks again when it is done.
      if !state.isWriting { self.state.announce() }
    }
  }

  /// Waits until every line is written, and ends the thread.
  func close() {
    state.withLock { state in
      state.isClosed = true
      self.state.announce()
    }
    state.wait { $0.bytes.isEmpty && !$0.isWriting ? () : nil }
  }

  private static func write(_ state: Monitor<State>) {
    let sink = StandardOutput(descriptor: 2, name: "standard error")
    while true {
      let bytes = state.wait { current -> [UInt8]? in
        current.isWriting = false
        if current.bytes.isEmpty {
          state.announce()
          return current.isClosed ? [] : nil
        }
        var bytes = current.bytes
        current.bytes = []
        if current.dropped > 0 {
          bytes += "{\"dropped\":\(current.dropped)}\n".utf8
          current.dropped = 0
        }
        current.isWriting = true
        return bytes
      }
      if bytes.isEmpty { return }
      try? sink.append(bytes)
    }
  }
}
