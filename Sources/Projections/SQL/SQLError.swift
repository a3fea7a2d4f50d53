internal import CSQLite

/// An error of SQLite.
struct SQLError: Error, Hashable, Sendable {
  /// The primary result code, such as `SQLITE_BUSY`.
  let code: Int32
  /// The message of SQLite.
  let message: String

  /// Creates an error, by default with the text that SQLite has for the code.
  init(_ code: Int32, message: String? = nil) {
    self.code = code & 0xFF
    // Safety: the library returns a terminated text for every code, which is copied at once.
    self.message = unsafe message ?? String(cString: sqlite3_errstr(code))
  }
}
