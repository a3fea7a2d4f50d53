import Foundation
import Platform
import TestSupport
import Testing

@testable import Tables

@Suite("Temporary files beside an output")
struct TemporaryFilesTests {
  @Test("only unlocked files are removed")
  func abandoned() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let abandoned = [".a.1.0.tmp", ".a.999999999.17.tmp", ".a.\(getpid()).5.tmp"]
    let kept = [
      ".b.1.0.tmp", ".a.b.1.0.tmp", ".a.1.tmp", ".a.1.0.tmp.bak", ".a.x.0.tmp", ".a.1..tmp",
      "a.1.0.tmp",
      ".a.-1.0.tmp", ".a.1.0.1.tmp",
    ]
    for name in abandoned + kept {
      try Data().write(to: URL(fileURLWithPath: directory.file(name)))
    }
    try FileManager.default.createDirectory(
      atPath: directory.file(".a.2.0.tmp"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: directory.file(".a.3.0.tmp"), withDestinationPath: ".b.1.0.tmp")
    // Safety: the path is a terminated copy for the call.
    #expect(unsafe mkfifo(directory.file(".a.4.0.tmp"), 0o600) == 0)
    // A file that is not ours: another process writes it.
    let held = directory.file(".a.5.0.tmp")
    // Safety: as above.
    let descriptor = unsafe open(held, O_WRONLY | O_CREAT, 0o600)
    #expect(flock(descriptor, LOCK_EX) == 0)
    try AtomicFile.write([1], to: directory.file("a"))
    let others = ["a", ".a.2.0.tmp", ".a.3.0.tmp", ".a.4.0.tmp", ".a.5.0.tmp"]
    #expect(Set(directory.names) == Set(kept + others))
    close(descriptor)
    try AtomicFile.write([1], to: directory.file("a"), force: true)
    #expect(!directory.names.contains(".a.5.0.tmp"))
  }

  @Test("many writers of one file at once never take each other's")
  func concurrent() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let path = directory.file("a")
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for round in 0..<150 {
            let bytes = Array("\(task) \(round)".utf8)
            #expect(throws: Never.self) { try AtomicFile.write(bytes, to: path, force: true) }
          }
        }
      }
    }
    #expect(directory.names == ["a"])
  }

  @Test("the name may be as long as names are, and leftovers of it are found")
  func longNames() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let name = String(repeating: "東", count: 85)
    let leftover = "." + String(repeating: "東", count: 66) + ".1.0.tmp"
    try Data().write(to: URL(fileURLWithPath: directory.file(leftover)))
    try AtomicFile.write([1], to: directory.file(name))
    #expect(directory.names == [name])
  }
}
