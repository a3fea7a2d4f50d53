import EventLog
import Events

/// The events of another log, in its order, with everything that they have.
///
/// A log is recognized by its files, whatever the format of the other inputs. A damaged log is refused, because the
/// events that it lost would be missing silently.
struct LogSource: RecordSource {
  let name: String
  private(set) var progress: SourceProgress
  private var cursor: EventCursor

  var recordNoun: String { "event" }

  /// Opens the log at a path.
  ///
  /// - Throws: ``ImportError`` if it cannot be read, is damaged or incomplete.
  init(_ path: String) throws(ImportError) {
    name = path
    do throws(LogError) {
      guard try !LogFilling.isUnfinished(path) else {
        throw LogError(
          .damaged,
          "the log is incomplete: the command that writes it has not finished; run that command again",
          path: path)
      }
      let log = try LogReader(path)
      cursor = try EventCursor(log)
      progress = SourceProgress(
        fileBytes: 0, totalFileBytes: Int64(clamping: log.byteCount), textBytes: 0)
    } catch {
      throw Self.translated(error)
    }
  }

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    do throws(LogError) {
      record.begin(line: 0, byteOffset: progress.textBytes)
      let index = record.addUnfilled()
      guard let position = try cursor.next(into: &record.events[index]) else {
        progress.fileBytes = progress.totalFileBytes ?? 0
        return .end
      }
      record.number(as: Int(clamping: position) &+ 1)
      progress.textBytes += Int64(record.events[index].bytes.count)
      progress.fileBytes = Int64(clamping: cursor.byteCount)
      return .record
    } catch {
      throw Self.translated(error)
    }
  }

  private static func translated(_ error: LogError) -> ImportError {
    let code: ImportError.Code =
      switch error.code {
      case .notFound: .missingInput
      case .inputOutput: .cannotRead
      default: .badData
      }
    return ImportError(code, error.description)
  }
}
