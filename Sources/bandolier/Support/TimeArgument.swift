import ArgumentParser
import Events

/// An event time on the command line.
enum TimeArgument {
  /// Parses ISO 8601 with an offset, or a number since 1970 in seconds, milliseconds, microseconds or
  /// nanoseconds.
  static func parse(_ text: String) throws -> Timestamp {
    let bytes = Array(text.utf8)
    if let time = Timestamp(iso8601: bytes.span) { return time }
    if let whole = Int64(text) {
      if let time = Timestamp(sinceEpoch: whole) { return time }
    } else if let number = Double(text), let time = Timestamp(sinceEpoch: number) {
      return time
    }
    throw ValidationError(
      "\"\(text)\" is no time; give ISO 8601 with an offset, such as 2026-01-02T03:04:05Z, or a "
        + "number since 1970")
  }
}
