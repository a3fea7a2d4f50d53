/// Handling of damage that is found while reading.
extension LogReader {
  /// The text shown for a lost name.
  static let lostName = "its name is lost"

  /// Records damage that may be skipped.
  ///
  /// - Parameters:
  ///   - error: The damage.
  ///   - noEvent: Whether no event is lost by this alone.
  /// - Throws: The error, if it may not be skipped.
  func passOver(_ error: LogError, noEvent: Bool = false) throws(LogError) {
    guard policy == .skip, var loss = error.loss else { throw error }
    if noEvent { loss.positions = loss.positions.lowerBound..<loss.positions.lowerBound }
    ledger.add(loss)
  }

  /// Returns the result of the closure; nil if it finds damage that may be skipped.
  func passingOver<Value>(
    noEvent: Bool = false, _ read: () throws(LogError) -> Value
  ) throws(LogError) -> Value? {
    do throws(LogError) {
      return try read()
    } catch {
      try passOver(error, noEvent: noEvent)
      return nil
    }
  }

  /// Returns an error for an event of a frame that uses a code without a name.
  func unnamed(
    _ column: ColumnID, _ code: UInt32, row: Int, of frame: FrameInfo
  ) -> LogError {
    let position = frame.basePosition + UInt64(row)
    var error = LogError(
      .damaged,
      "column \(column.name): code \(code) of event \(position) has no name; "
        + "restore the file from a backup", path: segments[frame.segment].path, offset: frame.offset
    )
    error.loss = LogLoss(
      path: error.path, offset: frame.offset, column: column.name,
      positions: position..<position + 1, reason: Self.lostName)
    return error
  }

  /// Returns an error for the events of a frame that were not read, from a row on.
  func unread(_ error: LogError, from row: Int, of frame: FrameInfo) -> LogError {
    var rest = error
    rest.loss?.positions = frame.basePosition + UInt64(row)..<frame.endPosition
    return rest
  }
}
