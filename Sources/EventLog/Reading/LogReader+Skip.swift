/// What a reader does when it comes upon damage while it reads.
extension LogReader {
  /// What a name is called that is not there any more.
  static let lostName = "its name is lost"

  /// Notes damage that may be passed over.
  ///
  /// - Parameters:
  ///   - error: What is damaged.
  ///   - noEvent: Whether no event is lost by this alone.
  /// - Throws: The error, when it may not.
  func passOver(_ error: LogError, noEvent: Bool = false) throws(LogError) {
    guard policy == .skip, var loss = error.loss else { throw error }
    if noEvent { loss.positions = loss.positions.lowerBound..<loss.positions.lowerBound }
    ledger.add(loss)
  }

  /// What the closure reads; nil when it is damaged and may be passed over.
  func passingOver<Value>(
    _ read: () throws(LogError) -> Value
  ) throws(LogError) -> Value? {
    do throws(LogError) {
      return try read()
    } catch {
      try passOver(error)
      return nil
    }
  }

  /// An event of a frame that uses a code without a name.
  func unnamed(
    _ column: ColumnID, _ code: UInt32, row: Int, of frame: FrameInfo
  ) -> LogError {
    let position = frame.basePosition + UInt64(row)
    var error = LogError(
      .damaged,
      "column \(column.name): code \(code) of event \(position) has no name; "
        + "take the file from a backup", path: segments[frame.segment].path, offset: frame.offset)
    error.loss = LogLoss(
      path: error.path, offset: frame.offset, column: column.name,
      positions: position..<position + 1, reason: Self.lostName)
    return error
  }

  /// Those events of a frame that were not read, from a row on.
  func unread(_ error: LogError, from row: Int, of frame: FrameInfo) -> LogError {
    var rest = error
    rest.loss?.positions = frame.basePosition + UInt64(row)..<frame.endPosition
    return rest
  }
}
