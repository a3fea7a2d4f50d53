internal import DecidingCore
internal import Events
internal import Reports
internal import Tables

/// Reports in the document of the interface: a route for each, with the options that it declares.
struct ReportSchema {
  private let catalog: ReportCatalog

  init(_ catalog: ReportCatalog) { self.catalog = catalog }

  /// The description of the route of any report.
  var description: Route.Description {
    Route.Description(
      operation: "report",
      summary: "Makes a report of the log, with the options of the command `bandolier report`: "
        + catalog.all.map { $0.name }.joined(separator: ", "),
      parameters: Self.selection + declared,
      responses: [
        (200, "The report in the format, with an ETag", nil),
        (304, "Nothing has changed since the ETag of If-None-Match", nil),
        (400, "An option is invalid, or names something that the log does not have", JSONSchema.problem()),
        (404, "There is no such report", JSONSchema.problem()),
        (429, "Too many reports are being made", JSONSchema.problem()),
      ])
  }

  /// An option as one or several reports declare it.
  private typealias Declared = (info: OptionInfo, reports: [String])

  /// The options that reports declare, each name once, with what it is to which reports.
  private var declared: [JSONValue] {
    var names: [String] = []
    var options: [String: [Declared]] = [:]
    for report in catalog.all {
      for info in report.optionInfos where !info.isOfCommand {
        var same = options[info.name] ?? []
        if same.isEmpty { names.append(info.name) }
        if let place = same.firstIndex(where: { $0.info.help == info.help }) {
          same[place].reports.append(report.name)
        } else {
          same.append((info, [report.name]))
        }
        options[info.name] = same
      }
    }
    return names.map { Self.option($0, options[$0] ?? []) }
  }

  private static func option(_ name: String, _ meanings: [Declared]) -> JSONValue {
    let texts = meanings.map { "\($0.info.help) Of \($0.reports.joined(separator: ", "))." }
    var schemas: [JSONValue] = []
    for schema in meanings.map({ Self.schema($0.info) }) where !schemas.contains(schema) {
      schemas.append(schema)
    }
    return JSONSchema.parameter(
      name, texts.joined(separator: " "), schemas.count == 1 ? schemas[0] : ["anyOf": .array(schemas)])
  }

  private static func schema(_ info: OptionInfo) -> JSONValue {
    guard info.words.isEmpty else { return JSONSchema.word(info.words) }
    let value: JSONValue = ["type": .string(info.kind == .flag ? "string" : info.kind.rawValue)]
    switch info.form {
    case .flag: return flag
    case .repeated: return ["type": "array", "items": value]
    case .single, .required: return info.kind == .text ? text : ["anyOf": [value, text]]
    }
  }

  /// The options of selecting events and of writing the table, which all reports have.
  private static let selection: [JSONValue] = [
    JSONSchema.parameter("format", "The format", JSONSchema.word(TableFormat.self)),
    JSONSchema.parameter("experiment", "Only this experiment; can be given more than once", texts),
    JSONSchema.parameter("since", "Only events at this time or later", text),
    JSONSchema.parameter("until", "Only events before this time", text),
    JSONSchema.parameter(
      "time-zone", "The time zone of days, weeks and dates, such as Europe/Madrid; UTC by default", text),
    JSONSchema.parameter("by", "The dimension to break down by, such as context.country", text),
    JSONSchema.parameter("without-reason", "Leave out decisions with this reason", texts),
    JSONSchema.parameter(
      "analysis", "The text of an analysis file, whose settings each experiment is treated by", text
    ),
    JSONSchema.parameter("metrics", "The text of a file of named metrics, which metric and analysis can name", text),
    JSONSchema.parameter("columns", "Only these columns, with commas between", text),
    JSONSchema.parameter(
      "names", "Names of agents and choices after their codes in tables for people",
      flag),
    JSONSchema.parameter("wide", "All columns of a table for people", flag),
    JSONSchema.parameter(
      "spreadsheet-safe", "Texts that a spreadsheet would take for formulas begin with '",
      flag),
    JSONSchema.ifNoneMatch,
  ]

  private static let text = JSONSchema.string
  private static let texts = JSONSchema.list(of: text)
  private static let flag = JSONSchema.word(["", "true", "false"])
}
