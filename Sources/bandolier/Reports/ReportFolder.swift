import EventLog
import Glibc
import Reports
import Tables

/// The folder that `report all` writes: everything is taken from the book.
struct ReportFolder {
  private let folder: AtomicFolder
  private let path: String

  /// Creates the temporary folder.
  ///
  /// - Throws: ``Failure`` if the folder would be inside the log, or is one that `report all` has not written;
  ///   `OutputError` if it exists or cannot be created.
  init(path: String, force: Bool, log: String) throws {
    self.path = path
    folder = try AtomicFolder(path: path, force: force) { _ in }
  }

  func abandon() { folder.abandon() }

  func commit() throws { try folder.commit() }

  /// Writes all files.
  ///
  /// - Throws: `OutputError`; ``Interrupt``.
  func write(_ book: Book, spreadsheetSafe: Bool) throws {
    let options = TableOptions(spreadsheetSafe: spreadsheetSafe)
    for table in book.tables {
      try write(Tables.write(table, as: .csv, options: options), to: "\(table.name).csv")
    }
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try Interrupt.check()
    try folder.write(bytes, to: name)
  }

  /// The time of the clock, in microseconds since 1970, which is written into the manifest only.
  static var now: Int64 {
    var now = timespec()
    // Safety: now outlives the call.
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return 0 }
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
  }
}
