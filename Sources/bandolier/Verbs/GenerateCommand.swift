import ArgumentParser
import EventLog
import Events
import Reports
import Scenarios
import Specifications
import Statistics
import Tables

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract:
      "Generate a synthetic log whose true means, propensities and best variants are known.",
    usage: "bandolier generate <scenario> --events <n> --seed <seed>\n  --log <log> [<options>]",
    discussion: """
      The same scenario, number of events and seed give the same log, byte for byte. The truth is \
      written beside it, as LOG.truth.json. Scenarios, with their parameters and defaults:

      \(ScenarioCatalog.standard.all.map { "\(Self.written($0))  \($0.summary)" }.joined(separator: "\n"))
      """)

  @Argument(
    help: ArgumentHelp("A scenario, with parameters as name:key=value,...", valueName: "scenario"),
    completion: .scenario)
  var scenario: String

  @Option(help: ArgumentHelp("How many events.", valueName: "n"), transform: OptionValue.integer)
  var events: Int

  @Option(
    help: ArgumentHelp("Seed of the random numbers.", valueName: "seed"),
    transform: OptionValue.integer)
  var seed: UInt64

  @Option(help: ArgumentHelp("The folder of the new log.", valueName: "log"), completion: .log)
  var log: String

  @Flag(help: "Replace LOG.truth.json if it exists.")
  var force = false

  @OptionGroup var progress: ProgressOptions

  func run() throws {
    var generator = try ScenarioCatalog.standard.named(scenario).generator(events: events, seed: seed)
    let truth = try AtomicFile(path: truthPath, force: force)
    do {
      try write(&generator)
      try truth.append(Array(generator.truth.json.utf8))
      try truth.commit()
    } catch {
      truth.abandon()
      throw error
    }
    Message.print("wrote \(events) events to \(log) and the truth to \(truthPath)")
  }

  /// Returns the specification of a scenario with all its parameters.
  private static func written(_ scenario: SpecificationInfo) -> Specification {
    .init(scenario.name, scenario.parameters.map { .init(key: $0.key, value: $0.standard ?? "") })
  }

  private var truthPath: String {
    var path = log[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path + ".truth.json"
  }

  /// The seed of the log. Two logs are the same log only when scenario, number of events and seed are the
  /// same.
  private var logSeed: UInt64 {
    var key = StreamKey(seed: seed)
    key.add(scenario)
    key.add(UInt64(events))
    return key.first
  }

  private func write(_ generator: inout any EventGenerator) throws {
    try progress.mode.running("generating", of: UInt64(events)) { update in
      let writer = try LogTarget.fill(log, seed: logSeed)
      var record = EventRecord()
      while generator.next(into: &record) {
        let position = try writer.append(parsed: record)
        if position % 4_096 == 0 { try update(position) }
      }
      try writer.commit()
      try writer.finishFilling()
    }
  }
}

extension GenerateCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier generate storefront:tests=60 \
      --events 50000 --seed 1 --log shop.log
    """#,
    #"""
    bandolier generate studies:units=20 --events 5000 --seed 2 \
      --log taps.log
    """#,
  ]
}
