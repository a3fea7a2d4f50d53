internal import EventLog
internal import Threads

/// The log as readers of the service see it: opened once, and again when it has grown.
final class LogView: Sendable {
  private let reader: Monitor<LogReader>

  init(_ options: ServiceOptions) throws(LogError) {
    reader = Monitor(try LogReader(options.log, disk: options.disk))
  }

  /// Returns a reader of the log as it is now.
  ///
  /// - Throws: ``LogError`` if the log cannot be opened again.
  func current() throws(LogError) -> LogReader {
    try reader.withLock { reader throws(LogError) in
      if let newer = try reader.reopened() { reader = newer }
      return reader
    }
  }
}
