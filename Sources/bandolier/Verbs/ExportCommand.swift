import ArgumentParser
import EventLog
import Events
import Interchange
import Reports
internal import Specifications
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
      "jsonl: one event per line, without loss. dsjson, vw: decisions with their rewards, for Vowpal Wabbit. obd: "
        + "impressions with their clicks, as the Open Bandit Dataset. csv, growthbook: tables, in a folder given by "
        + "-o. arrow: one Arrow stream without loss, a row for each event, for pyarrow, Polars, DuckDB and pandas; "
        + "see --kind.",
      valueName: "format"))
  var format = ExportFormatArgument(format: JSONLines.self)

  @Option(
    help: ArgumentHelp(
      "For arrow: events of these kinds and their columns only, separated by commas (decision, goal, conversion, "
        + "dataPoint, ...; default: all).",
      valueName: "kinds"), transform: OptionValue.list(of: EventFilterOptions.kind))
  var kind: [[EventKind]] = []

  @OptionGroup var damage: DamageOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    guard !kind.isEmpty else { return }
    if case .columns = format.kind { return }
    throw ValidationError("--kind is for --format arrow; other formats write all events they can")
  }

  func run() throws {
    // A file is written completely or not at all, so an interrupt must remove the partial one.
    if output.output != "-" { Interrupt.postpone() }
    switch format.kind {
    case .stream(let format):
      try damage.reading(log) { reader in
        try output.withSink { sink in try write(reader, as: format, to: sink) }
      }
    case .columns(let format):
      try damage.reading(log) { reader in
        try output.withSink { sink in try write(reader, as: format, to: sink) }
      }
    case .tables(let format):
      guard output.output != "-" else {
        throw Failure(
          exitCode: Failure.usage,
          "\(format.info.name) is several tables; give the folder for their files with -o")
      }
      try damage.reading(log) { reader in
        try TableExport(
          reader: reader, format: format, folder: output.output, force: output.force,
          progress: progress.mode
        ).run()
      }
    }
  }

  /// Writes the events of a log in blocks.
  private func write(
    _ reader: LogReader, as format: any ExportFormat.Type, to sink: any ByteSink
  ) throws {
    let positions = 0..<reader.eventCount
    guard !positions.isEmpty else { return try requireExport(by: format.makeExporter()) }
    var exporter = try makeExporter(format, reader)
    try progress.mode.showing("exporting", of: reader.eventCount) { update in
      var block: [UInt8] = []
      try reader.forEachEvent(in: positions) { record, position in
        exporter.append(record, to: &block)
        guard block.count >= 1 << 18 else { return }
        try sink.append(block)
        block.removeAll(keepingCapacity: true)
        update(position)
        try Interrupt.check()
      }
      exporter.finish(to: &block)
      try sink.append(block)
    }
    Self.report(exporter.omitted, format.info.name)
    try requireExport(by: exporter)
  }

  /// Writes the columns of a log.
  private func write(
    _ reader: LogReader, as format: any LogExportFormat.Type, to sink: any ByteSink
  ) throws {
    try progress.mode.showing("exporting", of: max(1, reader.eventCount)) { update in
      try format.export(
        reader, kinds: kind.isEmpty ? nil : Set(kind.joined()),
        progress: { done in
          update(UInt64(done))
          try Interrupt.check()
        }, to: { try sink.append($0) })
    }
  }

  /// Throws if there is no export of the log.
  private func requireExport(by exporter: any EventExporter) throws {
    guard let reason = exporter.refusal else { return }
    throw Failure(exitCode: Failure.badData, "\(log.log): \(reason)")
  }

  /// Returns an exporter, after a first pass for the names of the attributes if they become columns.
  private func makeExporter(
    _ format: any ExportFormat.Type, _ reader: LogReader
  ) throws -> any EventExporter {
    guard let format = format as? any ColumnExportFormat.Type else { return format.makeExporter() }
    var names = AttributeNames()
    try reader.forEachEvent { record, _ in
      names.add(record)
      try Interrupt.check()
    }
    return format.makeExporter(names)
  }

  /// Says what a format has no place for.
  static func report(_ omitted: [String: Int], _ format: String) {
    for (kind, count) in omitted.sorted(by: { $0.key < $1.key }) {
      Message.print("not exported: \(kind): \(count), which \(format) cannot express")
    }
  }
}

/// The name of a format that can be exported.
struct ExportFormatArgument: ExpressibleByArgument {
  /// How a format is written.
  enum Kind {
    /// As one file or stream.
    case stream(any ExportFormat.Type)
    /// As several files of CSV in a folder.
    case tables(any TableExportFormat.Type)
    /// As one file or stream, from the columns of the log.
    case columns(any LogExportFormat.Type)
  }

  let kind: Kind

  init(format: any ExportFormat.Type) { kind = .stream(format) }

  init?(argument: String) {
    let formats = FormatCatalog.standard
    if let format = formats.exported.first(where: { $0.info.name == argument }) {
      kind = .stream(format)
    } else if let format = formats.exportedAsTables.first(where: { $0.info.name == argument }) {
      kind = .tables(format)
    } else if let format = formats.exportedAsColumns.first(where: { $0.info.name == argument }) {
      kind = .columns(format)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String {
    switch kind {
    case .stream(let format): format.info.name
    case .tables(let format): format.info.name
    case .columns(let format): format.info.name
    }
  }

  static var allValueStrings: [String] {
    let formats = FormatCatalog.standard
    let names =
      formats.exported.map { $0.info.name } + formats.exportedAsTables.map { $0.info.name }
      + formats.exportedAsColumns.map { $0.info.name }
    return names.sorted()
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension ExportCommand: WorkedExamples {
  static let examples = [
    "bandolier export datasets/storefront.log | head -n 3",
    #"""
    bandolier export datasets/storefront.log \
      --format csv -o tables
    """#,
    #"""
    bandolier export datasets/storefront.log \
      --format arrow --kind decision -o decisions.arrows
    """#,
  ]
}
