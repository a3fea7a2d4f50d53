internal import Threads

/// A frame that a thread of its own encodes and compresses, while its writer appends other events.
final class FrameAhead: Sendable {
  private struct Content {
    var columns: FrameColumns?
    var encoded: FrameWriter.Encoded?
  }

  /// The number of its events.
  let rowCount: Int
  private let content: Monitor<Content>

  /// Begins to encode the columns of a frame. If the system has no thread left, they are encoded here.
  init(_ columns: consuming FrameColumns, names: [FrameWriter.Names], profile: CompressionProfile) {
    rowCount = columns.count
    let content = Monitor(Content(columns: columns))
    self.content = content
    let encode = { @Sendable in
      // Only one has the columns at a time, so that they are never copied.
      guard let columns = content.withLock({ $0.columns.take() }) else { return }
      let encoded = FrameWriter.encode(columns, names: names, profile: profile)
      content.withLock {
        $0 = Content(columns: columns, encoded: encoded)
        content.announce()
      }
    }
    if !Workers.detach(encode) { encode() }
  }

  /// Waits for the end of encoding, and takes the columns.
  func take() -> (columns: FrameColumns, encoded: FrameWriter.Encoded) {
    content.wait { content in
      guard let encoded = content.encoded, let columns = content.columns.take() else { return nil }
      return (columns, encoded)
    }
  }
}
