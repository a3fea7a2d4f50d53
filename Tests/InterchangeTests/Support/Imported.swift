import Events
import Interchange
import Specifications
import TestSupport

/// What an input becomes: its events as JSON Lines, and what was not imported.
struct Imported: Equatable {
  /// The events, as `export` writes them.
  var events: [String] = []
  /// The number of records that are no events, by kind.
  var ignored: [String: Int] = [:]
  /// The line, category and reason of each rejected record.
  var rejected: [String] = []

  /// Imports a text, whose format is recognized by its content unless it is given.
  ///
  /// - Parameters:
  ///   - text: The content of the file.
  ///   - name: The name of the file.
  ///   - format: The specification of the format.
  ///   - mapping: The mapping of a table.
  ///   - experiment: The name of the experiment, if it is given.
  ///   - keepsPlaceholders: Whether units that stand for a missing one are kept.
  /// - Throws: Errors of the import.
  init(
    _ text: String, name: String = "log", format: String = "auto", mapping: EventMapping? = nil,
    experiment: String? = nil, keepsPlaceholders: Bool = false
  ) throws {
    let folder = try TemporaryFolder()
    try self.init(
      file: folder.write(text, name), format: format, mapping: mapping, experiment: experiment,
      keepsPlaceholders: keepsPlaceholders)
  }

  /// Imports a file.
  init(
    file: String, format: String = "auto", mapping: EventMapping? = nil, experiment: String? = nil,
    keepsPlaceholders: Bool = false
  ) throws {
    var importer = try Importer(.init(parsing: format))
    importer.mapping = mapping
    importer.experiment = experiment
    var source = try importer.open(file)
    var record = ImportedRecord()
    record.keepsPlaceholders = keepsPlaceholders
    while true {
      switch try source.next(&record) {
      case .record:
        for event in record.events.prefix(record.count) {
          try event.validate()
          var line: [UInt8] = []
          JSONLines.append(event, to: &line)
          events.append(String(decoding: line.dropLast(), as: UTF8.self))
        }
      case .ignored(let kind): ignored[kind, default: 0] += 1
      case .rejected(let record):
        rejected.append("\(record.line): \(record.category.rawValue): \(record.reason)")
      case .end: return
      }
    }
  }
}
