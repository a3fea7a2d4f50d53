import Foundation
import TestSupport
import Testing

@Suite("metrics")
struct MetricsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ text: String) throws -> String {
    let path = folder.path("metrics.yaml")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("an analysis file is checked and listed for the metrics that it has")
  func analysisFile() throws {
    let path = try file(
      """
      metrics:
        refunds: {value: conversions, direction: lower, window: none}
      experiments:
        shop: {metric: refunds}
      """)
    let checked = try Command.run("metrics check \(path)")
    expectDone(checked)
    #expect(checked.messages.contains(": 1 metric\n"))
    let listed = try Command.run("metrics list \(path) --format csv")
    expectDone(listed)
    #expect(listed.lines.last?.contains("\"conversions:direction=lower,window=none\"") == true)
  }

  @Test("help has every key of a metric")
  func help() throws {
    let help = text(try Command.run("help metrics").output)
    for key in ["value", "title", "direction", "margin", "unit", "decimals", "window", "cap", "owner", "tags"] {
      #expect(help.contains("\(key): "), "\(key)")
    }
  }

  @Test("a file of which no metric is asked for is refused, and one that an analysis file may name is not")
  func unused() throws {
    let (log, path) = (folder.path("log"), try file("metrics: {spend: revenue}"))
    let plan = folder.path("plan.yaml")
    try "experiments: {e: {metric: spend}}\n".write(toFile: plan, atomically: true, encoding: .utf8)
    let decision = #"{"type":"decision","time":"2026-01-01T00:00:00Z","unit":"u","experiment":"e","variant":"a"}"#
    expectDone(try Command.run("append \(log)", input: [decision].text))
    for verb in ["report compare \(log)", "report rewards \(log)", "report all \(log) -o \(folder.path("all"))"] {
      expectFailure(
        try Command.run("\(verb) --metrics \(path)"), 64, says: "--metrics is not used: none of its metrics (spend)")
    }
    for options in ["--metric spend", "--analysis \(plan)"] {
      expectDone(try Command.run("report compare \(log) --metrics \(path) \(options)"))
    }
  }

  @Test("a direction that a report cannot judge is refused")
  func directions() throws {
    let log = folder.path("log")
    let decision =
      #"{"type":"decision","time":"2026-01-01T00:00:00Z","unit":"u","experiment":"e","variant":"a","propensity":1}"#
    expectDone(try Command.run("append \(log)", input: [decision].text))
    for verb in ["report regret \(log)", "report adaptive \(log)", "evaluate \(log) --policy uniform"] {
      expectFailure(
        try Command.run("\(verb) --metric reward:direction=neutral"), 64, says: "neither better nor worse")
    }
    for verb in ["evaluate \(log) --policy ucb1", "learn \(log) --policy-class tabular -o \(folder.path("p.json"))"] {
      expectFailure(try Command.run("\(verb) --metric reward:direction=lower"), 64, says: "earns most")
    }
    expectDone(try Command.run("report regret \(log) --metric reward:direction=lower"))
  }
}
