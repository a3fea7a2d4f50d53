internal import Events
internal import Reports
internal import Tables

/// What the document of the interface says about reports.
enum ReportSchema {
  static let description = Route.Description(
    operation: "report",
    summary: "Makes a report of the log, with the options of the command `bandolier report`: "
      + StandardReports.all.map { $0.name }.joined(separator: ", "),
    parameters: [
      option("format", "The format", values(TableFormat.allCases.map(\.rawValue))),
      option("experiment", "Only this experiment; can be given more than once", texts),
      option("since", "Only events at this time or later", text),
      option("until", "Only events before this time", text),
      option("by", "The dimension to break down by, such as context.country", text),
      option("without-reason", "Leave out decisions with this reason", texts),
      option("metric", "What is measured; can be given more than once", texts),
      option("baseline", "The variant that others are compared with", text),
      option("alpha", "The significance level", text),
      option(
        "window", "How long after an exposure goals count, such as 7d or 12h, or none; 7 is 7 days",
        text),
      option("steps", "The steps of the report funnel, with commas between", text),
      option("policy", "A policy to evaluate, for the report evaluate", texts),
      option("analysis", "The text of an analysis file, for the report decisions", text),
      option("columns", "Only these columns, with commas between", text),
      option(
        "names", "Names of agents and choices after their codes in tables for people",
        values(["", "true", "false"])),
      option("wide", "All columns of a table for people", values(["", "true", "false"])),
      [
        "name": "If-None-Match", "in": "header", "required": false,
        "description": "The ETag of an earlier response", "schema": text,
      ],
    ],
    responses: [
      (200, "The report in the format, with an ETag", nil),
      (304, "Nothing has changed since the ETag of If-None-Match", nil),
      (400, "An option is invalid, or names something that the log does not have", problem),
      (404, "There is no such report", problem),
      (429, "Too many reports are being made", problem),
    ])

  private static let text: JSONValue = ["type": "string"]
  private static let texts: JSONValue = ["type": "array", "items": text]

  private static func values(_ names: [String]) -> JSONValue {
    ["type": "string", "enum": .array(names.map { .string($0) })]
  }

  private static func option(
    _ name: String, _ description: String, _ schema: JSONValue
  ) -> JSONValue {
    [
      "name": .string(name), "in": "query", "required": false,
      "description": .string(description), "schema": schema,
    ]
  }

  private static let problem: JSONValue = [
    "type": "object",
    "properties": [
      "error": [
        "type": "object",
        "properties": ["code": text, "message": text], "required": ["code", "message"],
      ]
    ],
    "required": ["error"],
  ]
}
