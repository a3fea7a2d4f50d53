import ArgumentParser
import Interchange
internal import Specifications
import Tables

struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the formats that can be imported and exported.",
    usage: "bandolier formats [<options>]")

  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    var table = try Table(
      name: "formats", title: "Formats",
      columns: [
        .key("format", .text, "the word for --format"),
        .measure("import", .flag, "whether it can be imported"),
        .measure("export", .flag, "whether it can be exported"),
        .measure("what", .text, "what it is"),
        .measure("told_by", .text, "how --format auto tells it from others"),
        .measure("documentation", .text, "where it is documented"),
        .measure("parameters", .text, "what can be given, as in --format obd:items=FILE"),
        .measure("example", .text, "a value of --format"),
      ])
    for format in FormatCatalog.standard.formats {
      let info = format.listing
      try table.append(row: [
        .text(info.name), .flag(true),
        .flag(
          format is any ExportFormat.Type || format is any TableExportFormat.Type
            || format is any LogExportFormat.Type),
        .text(info.summary), .text(format.recognition), .text(info.source),
        .text(info.parameters.map { "\($0.key): \($0.meaning)" }.joined(separator: "; ")),
        .text(info.example),
      ])
    }
    try output.write(table.sorted())
  }
}

extension FormatsCommand: WorkedExamples {
  static let examples = [
    "bandolier formats",
    "bandolier formats --format json",
  ]
}
