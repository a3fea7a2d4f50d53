/// Merges sorted runs into one ascending sequence, keeping the newest value of each key.
enum FingerprintMerge {
  /// Calls `body` once with each key, ascending, and its value in the newest run that has it. The runs are ordered
  /// from oldest to newest.
  ///
  /// - Throws: ``FingerprintMapError`` of a run or of `body`.
  /// - Complexity: O(entries * runs); one read of 64 KiB at a time for each run.
  static func merge(
    _ runs: [FingerprintRun],
    _ body: (Fingerprint, UInt32) throws(FingerprintMapError) -> Void
  ) throws(FingerprintMapError) {
    var cursors: [Cursor] = []
    for run in runs {
      var cursor = Cursor(run: run)
      try cursor.advance()
      cursors.append(cursor)
    }
    while let smallest = cursors.compactMap(\.key).min() {
      var newest: UInt32 = 0
      for index in cursors.indices where cursors[index].key == smallest {
        newest = cursors[index].value
        try cursors[index].advance()
      }
      try body(smallest, newest)
    }
  }
}

/// A cursor over a run that is read sequentially.
private struct Cursor {
  private static let blockCount = (1 << 16) / FingerprintRun.entrySize

  let run: FingerprintRun
  /// The key of the current entry; nil before the first `advance()` and after the last.
  private(set) var key: Fingerprint?
  private(set) var value: UInt32 = 0
  private var buffer: [UInt8] = []
  private var buffered = 0..<0
  private var next = 0

  init(run: FingerprintRun) {
    self.run = run
  }

  mutating func advance() throws(FingerprintMapError) {
    guard next < run.count else {
      key = nil
      return
    }
    if next >= buffered.upperBound {
      let range = next..<min(next + Self.blockCount, run.count)
      try run.read(range, into: &buffer)
      buffered = range
    }
    let index = next - buffered.lowerBound
    key = FingerprintRun.key(at: index, in: buffer)
    value = FingerprintRun.value(at: index, in: buffer)
    next += 1
  }
}
