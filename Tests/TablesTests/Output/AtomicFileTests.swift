import Foundation
import Platform
import Testing

@testable import Tables

@Suite("An atomic file")
struct AtomicFileTests {
  private func code(_ body: () throws -> Void) -> OutputError.Code? {
    do { try body() } catch { return (error as? OutputError)?.code }
    return nil
  }

  private func permissions(_ path: String) -> UInt32? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.posixPermissions] as? NSNumber)?.uint32Value
  }

  @Test("appears whole when it is committed, not before, and leaves nothing else behind")
  func commit() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = try AtomicFile(path: directory.file("report.csv"))
    try file.append(Array("a,b\n".utf8))
    try file.append([])
    try file.append(Array("1,2\n".utf8))
    #expect(directory.contents("report.csv") == nil)
    #expect(directory.names.count == 1)
    #expect(directory.names.first?.hasPrefix(".report.csv.") == true)
    try file.commit()
    #expect(directory.contents("report.csv") == "a,b\n1,2\n")
    #expect(directory.names == ["report.csv"])
  }

  @Test("is removed when abandoned or released, leaving the target unchanged")
  func abandon() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try AtomicFile.write(Array("old".utf8), to: directory.file("a"))
    let file = try AtomicFile(path: directory.file("a"), force: true)
    try file.append(Array("new".utf8))
    file.abandon()
    file.abandon()
    do {
      let forgotten = try AtomicFile(path: directory.file("b"))
      try forgotten.append([1])
    }
    #expect(directory.names == ["a"])
    #expect(directory.contents("a") == "old")
  }

  @Test("rejects writes after it is committed or abandoned")
  func closed() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let file = try AtomicFile(path: directory.file("a"))
    try file.commit()
    #expect(code { try file.append([1]) } == .ioError)
    #expect(code { try file.commit() } == .ioError)
    file.abandon()
    #expect(directory.names == ["a"])
  }

  @Test("replaces nothing without force, and says how to fix it")
  func exists() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let path = directory.file("report.csv")
    try AtomicFile.write(Array("old".utf8), to: path)
    #expect(throws: OutputError.exists(path)) { try AtomicFile.write([1], to: path) }
    #expect(OutputError.exists(path).message == "\(path) exists; give --force to replace it")
    #expect(directory.contents("report.csv") == "old")
    try AtomicFile.write(Array("new".utf8), to: path, force: true)
    #expect(directory.contents("report.csv") == "new")
    #expect(directory.names == ["report.csv"])
  }

  @Test("replaces nothing without force, not even a file created meanwhile")
  func race() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let path = directory.file("a")
    let late = try AtomicFile(path: path)
    try late.append(Array("late".utf8))
    try AtomicFile.write(Array("first".utf8), to: path)
    #expect(throws: OutputError.exists(path)) { try late.commit() }
    #expect(directory.contents("a") == "first")
    #expect(directory.names == ["a"])
  }

  @Test("replaces nothing where there are no hard links either")
  func claim() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try AtomicFile.write(Array("new".utf8), to: directory.file("from"))
    try AtomicFile.write(Array("old".utf8), to: directory.file("to"))
    #expect(throws: SystemError(number: EEXIST)) {
      try FileCalls.claimAndRename(directory.file("from"), to: directory.file("to"))
    }
    #expect(directory.contents("to") == "old")
    try FileCalls.claimAndRename(directory.file("from"), to: directory.file("free"))
    #expect(directory.contents("free") == "new")
    #expect(throws: SystemError(number: ENOENT)) {
      try FileCalls.claimAndRename(directory.file("missing"), to: directory.file("left"))
    }
    #expect(directory.names == ["free", "to"])
  }

  @Test("has the permissions the umask leaves, or those of the file it replaces")
  func modes() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    // What a plain file gets here, because changing the umask would disturb the other tests.
    // Safety: the path is a terminated copy for the call.
    let plain = unsafe open(directory.file("plain"), O_WRONLY | O_CREAT, 0o666)
    close(plain)
    let path = directory.file("a")
    try AtomicFile.write([], to: path)
    #expect(permissions(path) == permissions(directory.file("plain")))
    for mode in [mode_t(0o600), 0o640, 0o666] {
      // Safety: the path is a terminated copy for the call.
      #expect(unsafe chmod(path, mode) == 0)
      try AtomicFile.write([1], to: path, force: true)
      #expect(permissions(path) == UInt32(mode))
    }
  }

  @Test("cannot be made in a missing directory, a file, or as a directory; the error says why")
  func cannotCreate() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try AtomicFile.write([], to: directory.file("file"))
    let long = String(repeating: "x", count: 300)
    for (path, reason) in [
      (directory.file("missing/a"), "make it first"), (directory.file("file/a"), "not a directory"),
      (directory.path, "is a directory"), (directory.file("new/"), "is a directory"),
      (directory.file(long), "too long"), ("", "not a file name"), ("a\0b", "not a file name"),
      (directory.file(""), "is a directory"), (".", "is a directory"), ("/", "is a directory"),
    ] {
      for force in [false, true] {
        do {
          try AtomicFile.write([], to: path, force: force)
          Issue.record("\(path) was written")
        } catch {
          #expect(error.code == .cannotCreate, "\(path)")
          #expect(error.message.contains(reason), "\(error)")
        }
      }
    }
    #expect(directory.names == ["file"])
  }

  @Test(
    "cannot be made in a directory that may not be written",
    .disabled(if: geteuid() == 0, "root may write anywhere; run as another user"))
  func readOnlyDirectory() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    // Safety: the path is a terminated copy for the call.
    #expect(unsafe chmod(directory.path, 0o555) == 0)
    // Safety: the path is a terminated copy for the call.
    defer { _ = unsafe chmod(directory.path, 0o755) }
    #expect(code { try AtomicFile.write([], to: directory.file("a")) } == .cannotCreate)
  }

  @Test("accepts the longest name its directory allows, in any script")
  func longNames() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    for name in [String(repeating: "x", count: 255), String(repeating: "東", count: 85)] {
      try AtomicFile.write(Array("a".utf8), to: directory.file(name))
      #expect(directory.contents(name) == "a")
    }
    #expect(directory.names.count == 2)
  }

  @Test("steps aside for a temporary file that someone left")
  func leftovers() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = try AtomicFile(path: directory.file("a"), force: true)
    let second = try AtomicFile(path: directory.file("a"), force: true)
    #expect(first.temporaryPath != second.temporaryPath)
    try first.append(Array("1".utf8))
    try second.append(Array("2".utf8))
    try second.commit()
    try first.commit()
    #expect(directory.contents("a") == "1")
    #expect(directory.names == ["a"])
  }

  @Test("follows a symbolic link only with force, and keeps it")
  func links() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try AtomicFile.write(Array("old".utf8), to: directory.file("target"))
    // Safety: the path is a terminated copy for the call.
    #expect(unsafe symlink("target", directory.file("link")) == 0)
    // Safety: the path is a terminated copy for the call.
    #expect(unsafe symlink("nowhere", directory.file("dangling")) == 0)
    #expect(code { try AtomicFile.write([], to: directory.file("link")) } == .exists)
    #expect(code { try AtomicFile.write([], to: directory.file("dangling")) } == .exists)
    try AtomicFile.write(Array("new".utf8), to: directory.file("link"), force: true)
    #expect(directory.contents("target") == "new")
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: directory.file("link"))
    #expect(link == "target")
    try AtomicFile.write(Array("own".utf8), to: directory.file("dangling"), force: true)
    #expect(directory.contents("dangling") == "own")
    #expect(directory.names == ["dangling", "link", "target"])
  }

  @Test("writes /dev/null and /dev/full directly, without force; a full disk is an error")
  func devices() throws {
    try AtomicFile.write([1, 2, 3], to: "/dev/null")
    let full = try AtomicFile(path: "/dev/full")
    #expect(full.temporaryPath == nil)
    #expect(code { try full.append([1]) } == .ioError)
    #expect(code { try full.commit() } == .ioError)
    do {
      try AtomicFile.write([1], to: "/dev/full")
      Issue.record("a full device took a byte")
    } catch {
      #expect(error.message.contains("no space left"))
      #expect(error.systemError == ENOSPC)
    }
  }

  @Test("writes a named pipe directly, and a reader that has gone is a broken pipe")
  func namedPipe() throws {
    signal(SIGPIPE, SIG_IGN)
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    // Safety: the path is a terminated copy for the call.
    #expect(unsafe mkfifo(directory.file("pipe"), 0o600) == 0)
    // Safety: the path is a terminated copy for the call.
    let reader = unsafe open(directory.file("pipe"), O_RDONLY | O_NONBLOCK)
    let file = try AtomicFile(path: directory.file("pipe"))
    try file.append(Array("abc".utf8))
    var bytes = [UInt8](repeating: 0, count: 8)
    // Safety: the array has the room stated.
    #expect(unsafe read(reader, &bytes, 8) == 3)
    #expect(bytes.starts(with: Array("abc".utf8)))
    close(reader)
    #expect(code { try file.append([1]) } == .brokenPipe)
    #expect(directory.names == ["pipe"])
  }

  @Test("writes to an open descriptor by name without replacing what is behind it")
  func descriptors() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    try AtomicFile.write(Array("log\n".utf8), to: directory.file("log"))
    // Safety: the path is a terminated copy for the call.
    let log = unsafe open(directory.file("log"), O_WRONLY | O_APPEND)
    defer { close(log) }
    for name in ["/dev/fd/\(log)", "/proc/self/fd/\(log)"] {
      try AtomicFile.write(Array("more\n".utf8), to: name)
    }
    #expect(directory.contents("log") == "log\nmore\nmore\n")
    #expect(code { try AtomicFile.write([], to: "/dev/fd/9999") } == .cannotCreate)
    #expect(code { try AtomicFile.write([], to: "/dev/fd/x") } == .cannotCreate)
  }

  @Test("is a relative path in the working directory, too")
  func split() {
    #expect(AtomicFile.Target.split("a") == (".", "a"))
    #expect(AtomicFile.Target.split("/a") == ("/", "a"))
    #expect(AtomicFile.Target.split("b/c/a") == ("b/c", "a"))
  }

  @Test("shows control characters of a name in a message")
  func messages() {
    #expect(OutputError.exists("a\u{1B}[2J").message.hasPrefix("a\\u{1B}[2J exists"))
  }
}
