import ArgumentParser
import Interchange
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
      ])
    for format in ImportFormat.all {
      try table.append(row: [
        .text(format.name), .flag(true),
        .flag(ExportCommand.Format(rawValue: format.name) != nil), .text(format.summary),
        .text(format.recognised), .text(format.documentation),
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
