extension UnitEvent {
  /// Returns the microseconds since an earlier time, clamped to the largest integer.
  ///
  /// - Parameter start: A time that is not after that of the event.
  /// - Returns: The time between, at least 0.
  func elapsed(since start: Int64) -> Int64 { Self.span(from: start, to: time) }

  /// Returns the microseconds between two ordered times, clamped to the largest integer.
  static func span(from start: Int64, to end: Int64) -> Int64 {
    // The unsigned difference of two ordered integers always fits.
    Int64(clamping: UInt64(bitPattern: end &- start))
  }
}
