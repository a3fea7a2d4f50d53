import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

/// What is made beside or in place of a file may be read by nobody who may not read that.
@Suite("File permissions")
struct FileRightsTests {
  private func modes(_ folder: String) throws -> [String: Int] {
    let manager = FileManager.default
    var modes: [String: Int] = [:]
    for name in try manager.subpathsOfDirectory(atPath: folder) + [""] {
      let attributes = try manager.attributesOfItem(atPath: folder + "/" + name)
      modes[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
    return modes
  }

  private func fill(_ writer: LogWriter, _ generator: inout EventGenerator) throws {
    for _ in 0..<6 {
      try writer.append(generator.events(20))
      try writer.commit()
    }
  }

  /// A log that only its owner may read, with each of the operations that write files.
  private func everything(in path: String, _ generator: inout EventGenerator) throws {
    let options = LogOptions(segmentByteCount: 4_000, seed: 1)
    try fill(try LogWriter(path, options: options), &generator)
    _ = try LogRewriter(path).compact(profile: .small)
    _ = try LogRewriter(path).erase(Erasure(units: ["u-1"]))
    let name = try LogReader(path).segments[1].path
    let handle = try #require(FileHandle(forUpdatingAtPath: name))
    try handle.seek(toOffset: 400)
    try handle.write(contentsOf: Data([1, 2, 3, 4]))
    try handle.close()
    _ = try LogRepair(path).run()
    let last = try #require(
      FileHandle(forUpdatingAtPath: try LogReader(path).segments.last?.path ?? ""))
    try last.seekToEnd()
    try last.write(contentsOf: Data([9, 9, 9]))
    try last.close()
    try fill(try LogWriter(path, options: options), &generator)
  }

  @Test("in a folder that only the owner may read, nobody else may read any file")
  func folder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log")
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    var generator = EventGenerator(seed: 1)
    try everything(in: path, &generator)
    let modes = try modes(path)
    #expect(modes.keys.contains { $0.hasPrefix("quarantine/") })
    #expect(modes.keys.contains("SEGMENTS") && modes.keys.contains("HEAD.0"))
    for (name, mode) in modes { #expect(mode & 0o077 == 0, "\(name): \(String(mode, radix: 8))") }
  }

  @Test(
    "files that others may not read stay unreadable, whatever the folder allows",
    arguments: [0o600, 0o640, 0o440 | 0o200])
  func files(mode: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log")
    var generator = EventGenerator(seed: 2)
    try fill(try LogWriter(path, options: LogOptions(segmentByteCount: 4_000, seed: 1)), &generator)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: path + "/" + name)
    }
    try everything(in: path, &generator)
    for (name, found) in try modes(path) where !name.isEmpty && !name.hasSuffix("quarantine") {
      #expect(found == mode, "\(name): \(String(found, radix: 8))")
    }
  }
}
