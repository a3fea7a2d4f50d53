import ArgumentParser
import EventLog
import Reports

struct LogInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "What is in a log: events, times, segments, bytes.",
    usage: "bandolier log info <log> [<options>]")

  @OptionGroup var log: LogArgument

  @Flag(help: "Show the columns instead: encoding, bytes, bytes per event.")
  var columns = false

  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    let reader = try log.open()
    try output.write(try columns ? LogReport.columns(reader) : LogReport.info(reader))
  }
}
