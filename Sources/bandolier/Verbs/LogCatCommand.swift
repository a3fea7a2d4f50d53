import ArgumentParser
import EventLog
import Reports

struct LogCatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat",
    abstract: "Print the events of a log as JSON Lines, in order.",
    usage: "bandolier log cat <log> [<options>]")

  @OptionGroup var log: LogArgument

  @Option(help: ArgumentHelp("Begin with the event of this position.", valueName: "position"))
  var from: UInt64 = 0

  @Option(help: ArgumentHelp("End before the event of this position.", valueName: "position"))
  var to: UInt64?

  func validate() throws {
    if let to, to < from { throw ValidationError("--to must not be less than --from") }
  }

  func run() throws {
    let reader = try log.open()
    let end = min(to ?? reader.eventCount, reader.eventCount)
    try JSONLinesExport.write(
      reader, positions: min(from, end)..<end, to: StandardOutput(), mode: .never)
  }
}
