extension UnitEvent {
  /// Microseconds since an earlier time; the largest number where there are more.
  ///
  /// - Parameter start: A time that is not after that of the event.
  /// - Returns: The time between, at least 0.
  func elapsed(since start: Int64) -> Int64 { Self.span(from: start, to: time) }

  /// Microseconds between two times in their order; the largest number where there are more.
  static func span(from start: Int64, to end: Int64) -> Int64 {
    // The difference of two numbers in their order fits once its sign is not needed.
    Int64(clamping: UInt64(bitPattern: end &- start))
  }
}
