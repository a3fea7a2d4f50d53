import Specifications
import Tables

/// A table of policies, environments or predictors: a row for each parameter, or one without.
enum SpecificationTable {
  static func table(of guides: [SpecificationInfo], name: String, title: String) throws -> Table {
    var table = try Table(
      name: name, title: title,
      columns: [
        .key("name", .text, "how it is written"),
        .key("parameter", .text, "how the parameter is written; empty where there is none"),
        .measure("default", .text, "its value when it is left out; empty where it must be given"),
        .measure("range", .text, "the smallest and the largest number; empty for other values"),
        .measure("meaning", .text, "what it does, and what it may be"),
        .measure("family", .text, "what it belongs to"),
        .measure("summary", .text, "what it is"),
        .measure("source", .text, "where it is defined"),
        .measure("example", .text, "a specification that works as it stands"),
      ])
    for info in guides {
      for parameter in info.parameters.isEmpty ? [nil] : info.parameters.map(Optional.some) {
        try table.append(row: [
          .text(info.name), TableCell(parameter?.key), TableCell(parameter?.standard),
          TableCell(parameter?.rangeText), TableCell(parameter?.meaning), .text(info.family),
          .text(info.summary), .text(info.source), .text(info.example),
        ])
      }
    }
    return table.sorted()
  }
}
