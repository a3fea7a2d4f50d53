import Foundation
import TestSupport
import Testing

@Suite("log merge")
struct LogMergeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func line(_ second: Int, _ unit: String, id: String? = nil) -> String {
    let name = id.map { #""id":"\#($0)","# } ?? ""
    return #"{"type":"goal",\#(name)"time":"\#(Timestamps.text(seconds: second))","#
      + #""unit":"\#(unit)","experiment":"e","goal":"g"}"#
  }

  private func segment(_ log: String) throws -> [UInt8] {
    try Files.bytes("\(log)/seg-00000000000000000000.bdl")
  }

  @Test("two devices' logs become one by time, in which an event with an id is there once")
  func merges() throws {
    let (a, b) = (folder.path("a"), folder.path("b"))
    let phone = [line(5, "p", id: "x"), line(1, "p"), line(9, "p", id: "y"), line(30, "p")]
    let laptop = [line(5, "p", id: "x"), line(2, "l"), line(1, "q"), line(7, "l", id: "z")]
    expectDone(try Command.run("append \(a)", input: phone.text))
    expectDone(try Command.run("append \(b)", input: laptop.text))
    let (c, d) = (folder.path("c"), folder.path("d"))
    let result = try Command.run("log merge \(a) \(b) -o \(c)")
    expectDone(result)
    #expect(result.text == "")
    #expect(result.messages.contains("wrote 7 events to \(c), skipped 1 duplicates"))
    let events = try Command.events(c)
    #expect(Set(events[..<2]) == [line(1, "p"), line(1, "q")])
    #expect(
      Array(events[2...])
        == [laptop[1], phone[0], laptop[3], phone[2], phone[3]])
    expectDone(try Command.run("log merge \(b) \(a) -o \(d)"))
    #expect(try segment(c) == segment(d))
    expectDone(try Command.run("log verify \(c)"))
  }

  @Test("equal events without id are as many events as they are")
  func withoutID() throws {
    for name in ["a", "b"] {
      let lines = [line(1, "u"), line(1, "u")]
      expectDone(try Command.run("append \(folder.path(name))", input: lines.text))
    }
    let c = folder.path("c")
    expectDone(try Command.run("log merge \(folder.path("a")) \(folder.path("b")) -o \(c)"))
    #expect(try Command.events(c) == Array(repeating: line(1, "u"), count: 4))
  }

  @Test("a target with events is refused and not touched; so is the same log twice")
  func refuses() throws {
    let (a, b) = (folder.path("a"), folder.path("b"))
    for log in [a, b] { expectDone(try Command.run("append \(log)", input: line(1, "u"))) }
    expectFailure(
      try Command.run("log merge \(a) \(b) -o \(b)"), 73, says: b, "a log of 1 events", "name")
    #expect(try Command.events(b).count == 1)
    let c = folder.path("c")
    expectFailure(try Command.run("log merge \(a) \(a) -o \(c)"), 64, says: "the same log")
    let nothing = folder.path("nothing")
    expectFailure(try Command.run("log merge \(a) \(nothing) -o \(c)"), 66, says: nothing)
    expectFailure(try Command.run("log merge \(a)"), 64, says: "--output")
    #expect(!FileManager.default.fileExists(atPath: c))
  }
}
