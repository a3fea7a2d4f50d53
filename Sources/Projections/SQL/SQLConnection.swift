internal import CSQLite

/// A connection to a database file, which one thread uses at a time.
@safe
final class SQLConnection: Sendable {
  /// How a transaction begins: with its first statement, or by waiting for other programs that write, or for all.
  enum Transaction: String {
    case deferred = "DEFERRED"
    case immediate = "IMMEDIATE"
    case exclusive = "EXCLUSIVE"
  }

  // Safety: the pointer is made by `init` and nil once it is closed. It is used by one thread at a time, which whoever
  // has the connection sees to; statements keep their connection.
  private nonisolated(unsafe) var pointer: OpaquePointer?

  /// Opens a file, and checks that it is a database.
  ///
  /// - Parameters:
  ///   - path: The path, which is created if there is none, unless the connection is for reading.
  ///   - readonly: Whether the connection is for reading only.
  ///   - patience: The time to wait for other programs, in milliseconds.
  ///   - settings: The statements to run first.
  /// - Throws: ``SQLError``.
  init(
    _ path: String, readonly: Bool = false, patience: Int32 = 0, settings: String = ""
  ) throws(SQLError) {
    // Names such as :memory: have a special meaning for SQLite.
    let name = path.hasPrefix("/") ? path : "./" + path
    let access = readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var opened: OpaquePointer?
    // Safety: the name is a terminated copy for the call. What it opens is closed by `deinit`, also after an error.
    let code = unsafe sqlite3_open_v2(name, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
    unsafe pointer = unsafe opened
    guard code == SQLITE_OK else { throw SQLError(code) }
    // Safety: the connection is open.
    _ = unsafe sqlite3_busy_timeout(pointer, patience)
    unsafe bandolier_refuse_quoted_texts(pointer)
    try execute("PRAGMA foreign_keys = ON;" + settings)
    try execute("SELECT * FROM sqlite_schema LIMIT 1")
  }

  deinit {
    // Safety: nobody uses it any more, and its statements are gone. Nil is allowed.
    unsafe sqlite3_close_v2(pointer)
  }

  /// Closes the file, which must have no statements left.
  func close() throws(SQLError) {
    // Safety: with statements, the library refuses; without, nobody has the pointer any more. Nil is allowed.
    guard unsafe sqlite3_close(pointer) == SQLITE_OK else { throw error() }
    unsafe pointer = nil
  }

  /// The last error of the connection.
  func error() -> SQLError {
    // Safety: the connection is open; the text is copied at once.
    guard let pointer = unsafe pointer else { return SQLError(SQLITE_MISUSE) }
    return unsafe SQLError(
      sqlite3_errcode(pointer), message: String(cString: sqlite3_errmsg(pointer)))
  }

  /// Prepares a statement for ``SQLStatement``, which finalizes it.
  func prepare(_ sql: String) throws(SQLError) -> OpaquePointer {
    var prepared: OpaquePointer?
    // Safety: the text is terminated and outlives the call. A connection that is nil is an error.
    let code = unsafe sqlite3_prepare_v2(pointer, sql, -1, &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else { throw error() }
    return unsafe prepared
  }

  // MARK: Running statements

  /// Runs statements that are separated by semicolons, and ignores their rows.
  func execute(_ sql: String) throws(SQLError) {
    // Safety: the text is terminated and outlives the call. A connection that is nil is an error.
    guard unsafe sqlite3_exec(pointer, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// Runs a statement once.
  func run(_ sql: String, _ values: SQLValue...) throws(SQLError) {
    try SQLStatement(self, sql).run(row: values)
  }

  /// Returns the rows of a statement with the given number of columns.
  func rows(_ sql: String, columns: Int32) throws -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    try SQLStatement(self, sql).forEachRow { row in
      rows.append((0..<columns).map { row.value($0) })
      return true
    }
    return rows
  }

  /// Returns the single value of a statement; null if there is none.
  func value(_ sql: String) throws -> SQLValue {
    try rows(sql, columns: 1).first?.first ?? .null
  }

  /// Runs the closure in a transaction, which is committed if it returns, and rolled back if it throws.
  func transaction<Answer>(
    _ kind: Transaction, _ body: () throws -> Answer
  ) throws -> Answer {
    try execute("BEGIN \(kind.rawValue) TRANSACTION")
    do {
      let answer = try body()
      // After some errors the library has rolled it back.
      guard isInTransaction else {
        throw SQLError(SQLITE_ABORT, message: "Transaction was aborted")
      }
      try execute("COMMIT TRANSACTION")
      return answer
    } catch {
      if isInTransaction { try? execute("ROLLBACK TRANSACTION") }
      throw error
    }
  }

  private var isInTransaction: Bool {
    // Safety: the connection is open.
    guard let pointer = unsafe pointer else { return false }
    return unsafe sqlite3_get_autocommit(pointer) == 0
  }
}
