import EventLog
import Events
import Interchange
import Specifications
import TestSupport

/// The events and the summary of an import of several files.
struct ImportedFiles {
  /// A destination in memory.
  private final class Log: RecordAppender {
    var events: [Event] = []

    func append(_ record: EventRecord) throws { events.append(try Event(record)) }

    func commit() {}
  }

  /// The appended events.
  let events: [Event]
  /// The summary.
  let summary: ImportSummary

  /// Imports files with recognized formats, skipping invalid records.
  ///
  /// - Parameters:
  ///   - files: The names and the contents of the files.
  ///   - format: The specification of the format.
  ///   - mapping: The mapping of tables.
  ///   - known: The events that the log has already.
  /// - Throws: Errors of the import.
  init(
    _ files: (name: String, text: String)..., format: String = "auto",
    mapping: EventMapping? = nil, after known: [Event] = []
  ) throws {
    let folder = try TemporaryFolder()
    let filter = DuplicateFilter(directory: folder.path, memoryCapacity: 1_000)
    var record = EventRecord()
    for event in known {
      try record.load(event)
      try filter.addKnown(record)
    }
    let log = Log()
    let session = ImportSession(filter: filter, onError: .skip)
    var importer = try Importer(.init(parsing: format))
    importer.mapping = mapping
    for file in files {
      var source = try importer.open(folder.write(file.text, file.name))
      try session.run(&source, into: log)
    }
    (events, summary) = (log.events, session.summary)
  }

  /// The findings, with the folder left out of the names of files.
  var quality: [String] {
    summary.quality.findings.map { finding in
      let file = finding.input.split(separator: "/").last.map(String.init) ?? finding.input
      return "\(finding.count): "
        + finding.description.replacing(finding.input, with: file)
    }
  }
}
