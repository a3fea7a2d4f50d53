import ArgumentParser
import EventLog
import Interchange
import Statistics
import Tables

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a log, as JSON Lines without loss or for another system.",
    usage: "bandolier export <log> [<options>]")

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "jsonl: one event per line, without loss. dsjson or vw: decisions with their rewards, for Vowpal Wabbit.",
      valueName: "format"))
  var format = ExportFormatArgument(format: JSONLines.self)

  @OptionGroup var damage: DamageOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var progress: ProgressOptions

  func run() throws {
    // A file is written completely or not at all, so an interrupt must remove the partial one.
    if output.output != "-" { Interrupt.postpone() }
    try damage.reading(log) { reader in
      try output.withSink { sink in
        try write(reader, to: sink)
      }
    }
  }

  /// Writes the events of a log in blocks.
  private func write(_ reader: LogReader, to sink: any ByteSink) throws {
    let positions = 0..<reader.eventCount
    guard !positions.isEmpty else { return }
    var line = Progress.onStandardError(
      label: "exporting", total: positions.count, unit: .count("events"), mode: progress.progress)
    var block: [UInt8] = []
    var exporter = format.format.makeExporter()
    try reader.forEachEvent(in: positions) { record, position in
      exporter.append(record, to: &block)
      guard block.count >= 1 << 18 else { return }
      try sink.append(block)
      block.removeAll(keepingCapacity: true)
      line.update(done: Int(position))
      try Interrupt.check()
    }
    exporter.finish(to: &block)
    try sink.append(block)
    line.finish()
    for (kind, count) in exporter.omitted.sorted(by: { $0.key < $1.key }) {
      Message.print(
        "not exported: \(kind): \(count), which \(format.format.info.name) cannot express")
    }
  }
}

/// The name of a format that can be exported.
struct ExportFormatArgument: ExpressibleByArgument {
  let format: any ExportFormat.Type

  init(format: any ExportFormat.Type) { self.format = format }

  init?(argument: String) {
    let named = FormatCatalog.standard.exported.first { $0.info.name == argument }
    guard let named else { return nil }
    format = named
  }

  var defaultValueDescription: String { format.info.name }

  static var allValueStrings: [String] { FormatCatalog.standard.exported.map { $0.info.name } }
}

extension ExportCommand: WorkedExamples {
  static let examples = [
    "bandolier export datasets/storefront.log -o events.jsonl",
    "bandolier export datasets/storefront.log | head -n 3",
    "bandolier export datasets/storefront.log --format dsjson -o events.dsjson",
  ]
}
