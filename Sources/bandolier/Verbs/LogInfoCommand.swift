import ArgumentParser
import EventLog
import Reports
import Tables

struct LogInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show the contents of a log: events, times, segments, bytes.",
    usage: "bandolier log info <log> [<options>]")

  @OptionGroup var log: LogArgument

  @Flag(help: "Show the columns instead: encoding, bytes, bytes per event.")
  var columns = false

  @Flag(help: "Short for --format json.")
  var json = false

  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    if json, let format = output.format, format != .json {
      throw ValidationError(
        "--json and --format \(format.rawValue) cannot be combined; leave one out")
    }
  }

  func run() throws {
    let reader = try log.open()
    var output = output
    if json { output.format = .json }
    try output.write(try columns ? LogReport.columns(reader) : LogReport.info(reader))
  }
}

extension LogInfoCommand: WorkedExamples {
  static let examples = [
    "bandolier log info datasets/storefront.log",
    "bandolier log info datasets/storefront.log --columns",
  ]
}
