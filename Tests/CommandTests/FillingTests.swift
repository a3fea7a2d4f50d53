import Foundation
import TestSupport
import Testing

/// A merge, split or generation that was killed: the same command again begins anew, and until then nobody takes what
/// is there for a log.
@Suite("New logs that are not finished")
struct FillingTests {
  private let folder: TemporaryFolder
  private let lines = Samples.decisions(0..<40)

  init() throws {
    folder = try TemporaryFolder()
    expectDone(try Command.run("append \(folder.path("a"))", input: lines.text))
  }

  private func expectResumed(_ command: String, _ target: String) throws {
    expectDone(try Command.run(command))
    let whole = try Command.events(target)
    let bytes = try Files.bytes("\(target)/seg-00000000000000000000.bdl")
    // What a kill leaves: the mark, and a log that lacks its end.
    try Data().write(to: URL(fileURLWithPath: "\(target)/UNFINISHED"))
    try Files.change("\(target)/seg-00000000000000000000.bdl") { $0.removeLast($0.count / 3) }
    try Files.change("\(target)/HEAD.0") { $0[0] = 0 }
    expectFailure(
      try Command.run("append \(target)", input: lines[0]), 65, says: "the log is incomplete",
      "run the same command again, or remove the folder")
    #expect(try Command.run("log verify \(target)").exitCode == 65)
    let again = try Command.run(command)
    expectDone(again)
    #expect(again.messages.contains("\(target) was not finished before; starting over"))
    #expect(try Command.events(target) == whole)
    #expect(try Files.bytes("\(target)/seg-00000000000000000000.bdl") == bytes)
    #expect(!FileManager.default.fileExists(atPath: "\(target)/UNFINISHED"))
    expectDone(try Command.run("log verify \(target)"))
    expectFailure(try Command.run(command), 73, says: "holds a log of", "name another folder")
  }

  @Test("log merge")
  func merge() throws {
    let target = folder.path("merged")
    try expectResumed("log merge \(folder.path("a")) -o \(target)", target)
  }

  @Test("log split")
  func split() throws {
    let target = folder.path("part")
    try expectResumed("log split \(folder.path("a")) --into 2 -o \(target)", "\(target)-1")
  }

  @Test("generate")
  func generate() throws {
    let target = folder.path("shop")
    try expectResumed("generate storefront --events 500 --seed 3 --log \(target) --force", target)
  }
}
