import Foundation
import Platform
import Testing

@testable import Tables

@Suite("An atomic folder")
struct AtomicFolderTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func message(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? OutputError)?.message }
    return nil
  }

  private func write(_ folder: AtomicFolder, _ files: String...) throws {
    for file in files { try folder.write(Array("\(file)\n".utf8), to: file) }
  }

  @Test("appears whole when it is committed, not before, and leaves nothing else behind")
  func commit() throws {
    defer { directory.remove() }
    let folder = try AtomicFolder(path: directory.file("report") + "/")
    try write(folder, "README.md", "plots/all/a.svg", "plots/b.svg")
    #expect(directory.names.count == 1)
    #expect(directory.names.first?.hasPrefix(".report.\(getpid()).") == true)
    try folder.commit()
    #expect(directory.names == ["report"])
    #expect(directory.contents("report/plots/all/a.svg") == "plots/all/a.svg\n")
    #expect(
      FileCalls.files(below: directory.file("report")).sorted()
        == ["README.md", "plots/all/a.svg", "plots/b.svg"])
    #expect(message { try folder.commit() }?.contains("already committed") == true)
    folder.abandon()
    #expect(directory.contents("report/README.md") == "README.md\n")
  }

  @Test("is removed when abandoned or released, leaving the target unchanged")
  func abandon() throws {
    defer { directory.remove() }
    let first = try AtomicFolder(path: directory.file("a"))
    try write(first, "old")
    try first.commit()
    do {
      let forgotten = try AtomicFolder(path: directory.file("a"), force: true)
      try write(forgotten, "new", "deep/er")
    }
    try AtomicFolder(path: directory.file("b")).abandon()
    #expect(directory.names == ["a"])
    #expect(directory.contents("a/old") == "old\n")
  }

  @Test(
    "replaces an empty folder; another one only by force, after its owner agrees to what is in it")
  func force() throws {
    defer { directory.remove() }
    try FileManager.default.createDirectory(
      atPath: directory.file("a"), withIntermediateDirectories: false)
    let first = try AtomicFolder(path: directory.file("a"))
    try write(first, "old", "plots/old")
    try first.commit()
    #expect(
      message { _ = try AtomicFolder(path: directory.file("a")) }?.contains("--force") == true)
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try AtomicFolder(path: directory.file("a"), force: true) { path, files in
        #expect(path == directory.file("a") && files.sorted() == ["old", "plots/old"])
        throw Refusal()
      }
    }
    #expect(directory.names == ["a"] && directory.contents("a/old") == "old\n")
    let second = try AtomicFolder(path: directory.file("a"), force: true)
    try write(second, "new")
    try second.commit()
    #expect(directory.names == ["a"])
    #expect(FileCalls.files(below: directory.file("a")) == ["new"])
  }

  @Test("never replaces a file, nor a folder that another program has filled meanwhile")
  func others() throws {
    defer { directory.remove() }
    try AtomicFile.write(Array("x".utf8), to: directory.file("file"))
    #expect(
      message { _ = try AtomicFolder(path: directory.file("file"), force: true) }?
        .contains("is a file") == true)
    for path in ["", ".", "/", "..", directory.file("missing/folder")] {
      #expect(throws: OutputError.self) { try AtomicFolder(path: path) }
    }
    let late = try AtomicFolder(path: directory.file("b"))
    let early = try AtomicFolder(path: directory.file("b"))
    try write(late, "late")
    try write(early, "early")
    try early.commit()
    #expect(message { try late.commit() }?.contains("exists") == true)
    #expect(directory.names.sorted() == ["b", "file"])
    #expect(directory.contents("b/early") == "early\n")
  }

  @Test("temporary folders of killed programs are removed, those of living ones are not")
  func abandoned() throws {
    defer { directory.remove() }
    // A program that was killed holds no lock.
    let dead = directory.file(".a.99999999.0.tmp")
    try FileManager.default.createDirectory(
      atPath: dead + "/plots", withIntermediateDirectories: true)
    try AtomicFile.write([1], to: dead + "/plots/one.svg")
    let outside = directory.file("outside")
    try AtomicFile.write([1], to: outside)
    try FileManager.default.createSymbolicLink(
      atPath: dead + "/link", withDestinationPath: outside)
    for other in [".a.x.0.tmp", ".b.1.0.tmp", ".a.1.tmp"] {
      try FileManager.default.createDirectory(
        atPath: directory.file(other), withIntermediateDirectories: false)
    }
    let living = try AtomicFolder(path: directory.file("a"))
    let other = try AtomicFolder(path: directory.file("a"))
    #expect(
      Set(directory.names) == [
        ".a.x.0.tmp", ".b.1.0.tmp", ".a.1.tmp", "outside", ".a.\(getpid()).0.tmp",
        ".a.\(getpid()).1.tmp",
      ])
    living.abandon()
    other.abandon()
  }
}
