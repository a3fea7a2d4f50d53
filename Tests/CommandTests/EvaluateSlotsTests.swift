import Foundation
import TestSupport
import Testing

@Suite("evaluate with several slots")
struct EvaluateSlotsTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
    expectDone(try Command.run("append \(folder.path("log"))", input: Self.lines.text))
  }

  /// 100 pages with a red or blue top and side, all four equally often; a red top earns 3, a blue side 1.
  private static let lines = (0..<100).flatMap { page -> [String] in
    let time = Timestamps.text(seconds: page)
    let colors = [page % 2 == 0 ? "red" : "blue", page / 2 % 2 == 0 ? "red" : "blue"]
    let start = #""time":"\#(time)","unit":"u\#(page)","experiment":"pages""#
    let decisions = zip(["top", "side"], colors).map { slot, color in
      #"{"type":"decision",\#(start),"slot":"\#(slot)","variant":"\#(color)","choices":["red","blue"],"#
        + #""propensity":0.5,"policy":"coin"}"#
    }
    let goals = [("top", "red", 3), ("side", "blue", 1)].enumerated().compactMap { index, goal in
      colors[index] == goal.1
        ? #"{"type":"goal",\#(start),"slot":"\#(goal.0)","goal":"g","value":\#(goal.2)}"# : nil
    }
    return decisions + goals
  }

  private func evaluate(_ options: String) throws -> [String] {
    let result = try Command.run(
      "evaluate \(log) --policy fixed:variant=red --format csv \(options)")
    expectDone(result)
    return result.lines
  }

  @Test("estimators of whole decisions estimate the rewards of whole pages")
  func whole() throws {
    let names = ["cascade-ips", "independent-ips", "pseudo-inverse", "slate-ips", "slate-snips"]
    let lines = try evaluate(names.map { "--estimator \($0)" }.joined(separator: " "))
    for (name, line) in zip(names, lines.dropFirst()) {
      #expect(line.hasPrefix("pages,fixed:variant=red,\(name),100,3,"), "\(line)")
      // A quarter of the pages has two red slots, and a weight of 4.
      #expect(line.contains(",25,1,4,25,100,normal,"), "\(line)")
    }
    #expect(lines.count == 6)
    let notes = try Command.run(
      "evaluate \(log) --policy uniform --estimator slate-ips --format json"
    ).text
    #expect(notes.contains("slate-ips: their decisions are whole ones"))
  }

  @Test("--per-slot adds rows for each slot, and columns that name them")
  func slots() throws {
    let lines = try evaluate("--estimator ips --estimator slate-ips --per-slot")
    #expect(lines.first?.hasSuffix(",verdict,status,point,slot") ?? false)
    #expect(lines.count == 5)
    #expect(lines[1].hasPrefix("pages,fixed:variant=red,ips,200,1.5,") && lines[1].hasSuffix(",,"))
    #expect(lines[2].hasPrefix("pages,fixed:variant=red,ips,100,0,"), "\(lines[2])")
    #expect(lines[2].hasSuffix(",point-1,side"))
    #expect(lines[3].hasPrefix("pages,fixed:variant=red,ips,100,3,"), "\(lines[3])")
    #expect(lines[3].hasSuffix(",point-1,top"))
    #expect(lines[4].hasPrefix("pages,fixed:variant=red,slate-ips,100,3,"))
    #expect(try evaluate("--estimator ips").first?.hasSuffix(",verdict,status") ?? false)
  }

  @Test("--groups gives the groups whose probabilities mips compares")
  func groups() throws {
    let path = folder.path("groups.csv")
    try Data("variant,group\nred,colour\nblue,colour\n".utf8).write(to: URL(fileURLWithPath: path))
    let lines = try evaluate("--estimator mips --groups \(path)")
    #expect(lines[1].hasPrefix("pages,fixed:variant=red,mips,200,1,"), "\(lines[1])")
    let without = try evaluate("--estimator mips")
    #expect(without[1].hasPrefix("pages,fixed:variant=red,mips,200,1.5,"), "\(without[1])")
    try Data("variant\nred\n".utf8).write(to: URL(fileURLWithPath: path))
    let wrong = try Command.run(
      "evaluate \(log) --policy uniform --estimator mips --groups \(path)")
    #expect(wrong.exitCode == 64, "\(wrong.messages)")
    #expect(wrong.messages.contains("needs the columns variant and group; it has variant"))
  }

  @Test("with one logging policy, estimators for several are ips")
  func loggers() throws {
    let names = ["ips", "multi-balanced-ips", "multi-ips", "multi-weighted-ips"]
    let lines = try evaluate(names.map { "--estimator \($0)" }.joined(separator: " "))
    for (name, line) in zip(names, lines.dropFirst()) {
      #expect(line.hasPrefix("pages,fixed:variant=red,\(name),200,1.5,"), "\(line)")
    }
  }

  @Test("--truth compares whole decisions with whole decisions")
  func truth() throws {
    let lines = try Command.run(
      "evaluate \(log) --policy uniform --estimator slate-ips --truth \(log) --format csv")
    expectDone(lines)
    #expect(lines.lines[1].hasPrefix("pages,uniform,slate-ips,100,2,"), "\(lines.text)")
    #expect(lines.lines[1].contains(",2,0."), "\(lines.text)")
    let mixed = try Command.run(
      "evaluate \(log) --policy uniform --estimator slate-ips --estimator ips --truth \(log)")
    #expect(mixed.exitCode == 64, "\(mixed.messages)")
    #expect(mixed.messages.contains("all of whole decisions"))
  }
}
