import EventLog
import Events
import Interchange
internal import Specifications
import Tables

/// The export of a log as tables, each a file in one folder.
struct TableExport {
  let reader: LogReader
  let format: any TableExportFormat.Type
  let folder: String
  let force: Bool
  let progress: ProgressMode

  /// Writes the tables; the files appear when all of them are complete. The log is read twice: first for the names of
  /// the attributes, which become columns.
  func run() throws {
    var names = AttributeNames()
    try reader.forEachEvent { record, _ in
      names.add(record)
      try Interrupt.check()
    }
    try OutputFolder.create(folder)
    let exporter = TableExporter(format, names)
    let files = try exporter.tables.map {
      try AtomicFile(path: "\(folder)/\($0.fileName)", force: force)
    }
    do {
      try write(exporter, to: files)
      for file in files { try file.commit() }
    } catch {
      for file in files { file.abandon() }
      throw error
    }
  }

  private func write(_ exporter: TableExporter, to files: [AtomicFile]) throws {
    var exporter = exporter
    var blocks = [[UInt8]](repeating: [], count: files.count)
    exporter.appendHeaders(to: &blocks)
    try progress.showing("exporting", of: reader.eventCount) { update in
      try reader.forEachEvent { record, position in
        guard let index = exporter.append(record, to: &blocks), blocks[index].count >= 1 << 18
        else { return }
        try files[index].append(blocks[index])
        blocks[index].removeAll(keepingCapacity: true)
        update(position)
        try Interrupt.check()
      }
      for (file, block) in zip(files, blocks) { try file.append(block) }
    }
    ExportCommand.report(exporter.omitted, format.info.name)
  }
}
