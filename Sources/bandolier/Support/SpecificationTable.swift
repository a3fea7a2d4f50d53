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
        .measure("meaning", .text, "what it does, and what it may be"),
        .measure("summary", .text, "what it is"),
        .measure("source", .text, "where it is defined"),
        .measure("example", .text, "a specification that works as it stands"),
      ])
    for info in guides {
      for parameter in info.parameters {
        try table.append(row: [
          .text(info.name), .text(parameter.key), TableCell(parameter.standard),
          .text(parameter.meaning), .text(info.summary), .text(info.source), .text(info.example),
        ])
      }
      if info.parameters.isEmpty {
        try table.append(row: [
          .text(info.name), .empty, .empty, .empty, .text(info.summary), .text(info.source),
          .text(info.example),
        ])
      }
    }
    return table.sorted()
  }
}
