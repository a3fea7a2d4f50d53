import EventLog
import Events
import Glibc
import Interchange
import Statistics
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
    try createFolder()
    let tables = format.makeTables(names)
    let files = try tables.map {
      try AtomicFile(path: "\(folder)/\($0.fileName)", force: force)
    }
    do {
      try write(tables, to: files)
      for file in files { try file.commit() }
    } catch {
      for file in files { file.abandon() }
      throw error
    }
  }

  private func createFolder() throws {
    // Safety: the path is a terminated copy for the call.
    guard unsafe mkdir(folder, 0o777) != 0, errno != EEXIST else { return }
    throw Failure(
      exitCode: Failure.cannotCreate,
      "\(folder): the folder cannot be created; check that the one around it exists and can be written")
  }

  private func write(_ tables: [EventTable], to files: [AtomicFile]) throws {
    var blocks = [[UInt8]](repeating: [], count: tables.count)
    for (index, table) in tables.enumerated() { table.appendHeader(to: &blocks[index]) }
    var omitted: [EventKind: Int] = [:]
    let total = Int(reader.eventCount)
    var line = Progress.onStandardError(
      label: "exporting", total: total, unit: .count("events"), mode: progress)
    try reader.forEachEvent { record, position in
      guard let index = tables.firstIndex(where: { $0.kinds.contains(record.kind) }) else {
        omitted[record.kind, default: 0] += 1
        return
      }
      tables[index].append(record, to: &blocks[index])
      guard blocks[index].count >= 1 << 18 else { return }
      try files[index].append(blocks[index])
      blocks[index].removeAll(keepingCapacity: true)
      line.update(done: Int(position))
      try Interrupt.check()
    }
    for (file, block) in zip(files, blocks) { try file.append(block) }
    line.finish()
    for kind in EventKind.allCases {
      guard let count = omitted[kind] else { continue }
      Message.print(
        "not exported: \(kind.name): \(count), which \(format.info.name) cannot express")
    }
  }
}
