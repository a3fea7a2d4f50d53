import CSQLite
import Foundation
import TestSupport
import Testing

@testable import Projections

@Suite("Connections to SQLite")
struct SQLConnectionTests {
  private struct Stop: Error {}

  private let folder: TemporaryFolder
  private var path: String { folder.path("file.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func numbers(_ db: SQLConnection) throws -> [SQLValue] {
    try db.rows("SELECT x FROM t ORDER BY rowid", columns: 1).map { $0[0] }
  }

  /// The number of open files of this process below the folder.
  private var openFiles: Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + name)
      return target?.hasPrefix(folder.path) ?? false
    }
  }

  @Test("values come back as they were written", arguments: 0..<20)
  func values(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .real(-0.5), .real(.infinity), .text(""), .bytes([]),
      .text("a\0b'\"é"),
    ]
    for _ in 0..<50 {
      let bytes = (0..<random.index(20)).map { _ in UInt8(random.index(128)) }
      values += [.text(bytes), .bytes(bytes), .integer(Int64(bitPattern: random.next()))]
    }
    let db = try SQLConnection(path)
    try db.execute("CREATE TABLE t (x)")
    let insert = try SQLStatement(db, "INSERT INTO t VALUES (?1)")
    for value in values { try insert.run(value) }
    #expect(try numbers(db) == values, "seed \(seed)")
  }

  @Test("a transaction is whole or not there, whoever ends it")
  func transactions() throws {
    let db = try SQLConnection(path)
    try db.execute("CREATE TABLE t (x UNIQUE)")
    let count = try db.transaction(.immediate) {
      try db.run("INSERT INTO t VALUES (?1)", .integer(1))
      return try numbers(db).count
    }
    #expect(count == 1)
    #expect(throws: Stop.self) {
      try db.transaction(.deferred) {
        try db.run("INSERT INTO t VALUES (2)")
        throw Stop()
      }
    }
    // SQLite rolls back by itself here, and the closure goes on.
    let error = #expect(throws: SQLError.self) {
      try db.transaction(.exclusive) {
        try db.run("INSERT INTO t VALUES (3)")
        try? db.run("INSERT OR ROLLBACK INTO t VALUES (1)")
      }
    }
    #expect(error?.code == SQLITE_ABORT)
    #expect(try numbers(db) == [.integer(1)])
    try db.transaction(.immediate) { try db.run("INSERT INTO t VALUES (4)") }
    #expect(try numbers(db) == [.integer(1), .integer(4)])
  }

  @Test("a file that another connection writes is busy, and readable again after it")
  func busy() throws {
    let db = try SQLConnection(path)
    try db.execute("CREATE TABLE t (x)")
    let other = try SQLConnection(path)
    try db.transaction(.immediate) {
      let error = #expect(throws: SQLError.self) { try other.transaction(.immediate) {} }
      #expect(error == SQLError(SQLITE_BUSY))
    }
    try other.transaction(.immediate) { try other.run("INSERT INTO t VALUES (5)") }
    #expect(try numbers(db) == [.integer(5)])
  }

  @Test("errors have the code and the words of SQLite")
  func errors() throws {
    let db = try SQLConnection(path)
    let unknown = #expect(throws: SQLError.self) { try db.run("SELECT * FROM nowhere") }
    #expect(unknown == SQLError(SQLITE_ERROR, message: "no such table: nowhere"))
    // A name in double quotes is a name.
    let quoted = #expect(throws: SQLError.self) { try db.value(#"SELECT "nobody""#) }
    #expect(quoted?.message.contains("no such column") == true)
    try db.execute("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1)")
    let twice = #expect(throws: SQLError.self) { try db.execute("INSERT INTO t VALUES (1)") }
    #expect(twice?.code == SQLITE_CONSTRAINT)
    let folder = #expect(throws: SQLError.self) { try SQLConnection(path + "/nowhere") }
    #expect(folder == SQLError(SQLITE_CANTOPEN))
    let reader = try SQLConnection(path, readonly: true)
    let write = #expect(throws: SQLError.self) { try reader.run("INSERT INTO t VALUES (2)") }
    #expect(write?.code == SQLITE_READONLY)
  }

  @Test("what is not a database is closed at once, and a closed connection refuses everything")
  func closing() throws {
    _ = try folder.write(Array(repeating: UInt8(ascii: "x"), count: 5_000), "file.sqlite")
    let garbage = #expect(throws: SQLError.self) { try SQLConnection(path) }
    #expect(garbage?.code == SQLITE_NOTADB && openFiles == 0)
    let db = try SQLConnection(folder.path("other.sqlite"))
    try db.execute("CREATE TABLE t (x)")
    do {
      let statement = try SQLStatement(db, "INSERT INTO t VALUES (?1)")
      let error = #expect(throws: SQLError.self) { try db.close() }
      #expect(error?.code == SQLITE_BUSY)
      try statement.run(.integer(7))
    }
    #expect(try numbers(db) == [.integer(7)])
    try db.close()
    try db.close()
    #expect(openFiles == 0)
    let closed = #expect(throws: SQLError.self) { try db.run("SELECT 1") }
    #expect(closed?.code == SQLITE_MISUSE)
    #expect(throws: SQLError.self) { try db.transaction(.deferred) {} }
  }

  @Test("a statement keeps its connection")
  func kept() throws {
    let insert: SQLStatement = try {
      let db = try SQLConnection(path)
      try db.execute("CREATE TABLE t (x)")
      return try SQLStatement(db, "INSERT INTO t VALUES (?1)")
    }()
    try insert.run(.integer(1))
    #expect(try numbers(SQLConnection(path)) == [.integer(1)])
  }
}
