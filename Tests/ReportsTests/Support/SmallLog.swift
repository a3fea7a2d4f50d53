import EventLog
import Events
import TestSupport

/// A log of a few events, and the names in it.
final class SmallLog {
  private let folder: TemporaryFolder
  let reader: LogReader
  let names: LogNames

  /// Writes JSON Lines.
  init(_ lines: [String]) throws {
    folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    let events = try lines.map { try Event(jsonLine: $0) }
    try writer.append(events)
    try writer.commit()
    reader = try LogReader(folder.path("log"))
    names = try LogNames(reader, [.experiments, .points, .slots, .variants, .goals])
  }
}
