import ArgumentParser
import EventLog
import Events
import Platform
import Tables

struct LogCatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat",
    abstract: "Print the events of a log as JSON Lines, in order.",
    usage: "bandolier log cat <log> [<options>]",
    discussion: "An event is printed when it meets every condition that is given.")

  @OptionGroup var log: LogArgument
  @OptionGroup var conditions: EventFilterOptions
  @OptionGroup var damage: DamageOptions

  @Flag(
    help:
      "Follow the log: print events as they are appended, until Ctrl-C or until the pipe is closed."
  )
  var follow = false

  func run() throws {
    try damage.reading(log) { try cat($0) }
  }

  private func cat(_ reader: LogReader) throws {
    // With `--follow`, a name that is not in the log yet can still come.
    let isExplained = try conditions.note(reader, mayCome: follow)
    var events = FilteredEvents(reader, matching: conditions.filter)
    if follow { Interrupt.postpone() }
    if try !print(&events), !follow, !isExplained {
      Message.print("note: no event meets every condition; \(LogCoverage(reader).text)")
    }
    while follow, events.mayHaveMore {
      try Interrupt.pause(milliseconds: 100, whileOpen: STDOUT_FILENO)
      if try events.refresh() { _ = try print(&events) }
    }
  }

  /// Prints the available events, in blocks that end with complete events.
  ///
  /// - Returns: Whether there were any.
  private func print(_ events: inout FilteredEvents) throws -> Bool {
    let output = StandardOutput()
    var block: [UInt8] = []
    var hasEvents = false
    try events.forEach { record, _ in
      hasEvents = true
      JSONLinesEncoder.append(record, to: &block)
      guard block.count >= 1 << 18 else { return }
      try output.append(block)
      block.removeAll(keepingCapacity: true)
      try Interrupt.check()
    }
    if !block.isEmpty { try output.append(block) }
    return hasEvents
  }
}

extension LogCatCommand: WorkedExamples {
  static let examples = [
    "bandolier log cat datasets/storefront.log --from 49990",
    #"""
    bandolier log cat datasets/storefront.log --unit u-1 \
      --kind decision
    """#,
    #"""
    bandolier log cat datasets/storefront.log --kind goal \
      --experiment pricing --since 2026-01-20T00:00:00Z
    """#,
  ]
}
