import ArgumentParser
import EventLog
import Reports

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a log out again, without loss.",
    usage: "bandolier export <log> [<options>]")

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case jsonl
  }

  @OptionGroup var log: LogArgument

  @Option(help: ArgumentHelp("jsonl: one event per line.", valueName: "format"))
  var format: Format = .jsonl

  @OptionGroup var damage: DamageOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var progress: ProgressOptions

  func run() throws {
    // To a file the export ends as a whole or not at all, so an interrupt must take the rest away.
    if output.output != "-" { Interrupt.postpone() }
    try damage.reading(log) { reader in
      try output.withSink { sink in
        try JSONLinesExport.write(
          reader, positions: 0..<reader.eventCount, to: sink, mode: progress.progress)
      }
    }
  }
}

extension ExportCommand: WorkedExamples {
  static let examples = [
    "bandolier export datasets/storefront.log -o events.jsonl",
    "bandolier export datasets/storefront.log | head -n 3",
  ]
}
