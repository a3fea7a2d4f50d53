internal import CSQLite

/// An SQLite value.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case bytes([UInt8])

  static func text(_ string: String) -> SQLValue { .text(Array(string.utf8)) }

  var integer: Int64? {
    if case .integer(let number) = self { return number }
    return nil
  }

  var content: [UInt8]? {
    switch self {
    case .text(let bytes), .bytes(let bytes): bytes
    default: nil
    }
  }

  var string: String? {
    if case .text(let bytes) = self { return String(decoding: bytes, as: UTF8.self) }
    return nil
  }
}

/// A prepared statement, which any thread with exclusive access to the database may use.
@safe
final class SQLStatement: Sendable {
  // Safety: it is made by the library and stays what it is until `deinit`. It is used by one thread at a time, which
  // whoever has the statement sees to.
  private nonisolated(unsafe) let statement: OpaquePointer
  private let connection: SQLConnection

  /// Prepares a statement.
  ///
  /// - Throws: ``SQLError`` if SQLite does not accept it.
  init(_ connection: SQLConnection, _ sql: String) throws(SQLError) {
    // Safety: nobody else has the pointer, which `deinit` finalizes.
    unsafe statement = try connection.prepare(sql)
    self.connection = connection
  }

  deinit {
    // Safety: nobody uses it any more.
    unsafe sqlite3_finalize(statement)
  }

  /// Runs a statement that returns no rows.
  func run(_ values: SQLValue...) throws(SQLError) { try run(row: values) }

  /// Runs a statement with a row of values.
  func run(row values: [SQLValue]) throws(SQLError) {
    defer { reset() }
    try bind(values)
    while try step() {}
  }

  /// Runs a statement and calls the closure with each row; the closure returns whether to continue.
  func forEachRow(_ values: SQLValue..., body: (SQLStatement) throws -> Bool) throws {
    defer { reset() }
    try bind(values)
    while try step() {
      guard try body(self) else { break }
    }
  }

  /// Returns the value in a column of the current row.
  func value(_ column: Int32) -> SQLValue {
    // Safety: columns that are not there are null for the library; bytes are copied before the statement goes on.
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: unsafe .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: unsafe .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: .text(bytes(column))
    case SQLITE_BLOB: .bytes(bytes(column))
    default: .null
    }
  }

  private func bytes(_ column: Int32) -> [UInt8] {
    // Safety: the pointer is of as many bytes as the library says, until the statement goes on.
    guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func bind(_ values: [SQLValue]) throws(SQLError) {
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      // Safety: the library copies texts and bytes before the call returns.
      let code =
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, place)
        case .integer(let number): unsafe sqlite3_bind_int64(statement, place, number)
        case .real(let number): unsafe sqlite3_bind_double(statement, place, number)
        case .text(let bytes): bind(text: bytes, place)
        case .bytes(let bytes): bind(bytes, place)
        }
      guard code == SQLITE_OK else { throw connection.error() }
    }
  }

  /// Instructs the library to copy its arguments.
  private static var transient: sqlite3_destructor_type {
    // Safety: -1 is the library's own mark for it, and never called.
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  private func bind(text bytes: [UInt8], _ place: Int32) -> Int32 {
    // An empty buffer may have no address, which would mean null.
    // Safety: the literal outlives the call, and none of its bytes are read.
    if bytes.isEmpty { return unsafe sqlite3_bind_text(statement, place, "", 0, Self.transient) }
    // Safety: the pointer is used within the closure.
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe sqlite3_bind_text64(
        statement, place, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
    }
  }

  private func bind(_ bytes: [UInt8], _ place: Int32) -> Int32 {
    // Safety: the statement is there until `deinit`; no memory is passed.
    if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(statement, place, 0) }
    // Safety: as for texts.
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe sqlite3_bind_blob64(
        statement, place, bytes.baseAddress, UInt64(bytes.count), Self.transient)
    }
  }

  private func step() throws(SQLError) -> Bool {
    // Safety: the statement is there until `deinit`.
    switch unsafe sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.error()
    }
  }

  private func reset() {
    // Safety: as above.
    _ = unsafe sqlite3_reset(statement)
  }
}
