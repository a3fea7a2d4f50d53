internal import Events

/// Sending events in the document of the interface.
enum IngestionSchema {
  static let description = Route.Description(
    operation: "appendEvents",
    summary: "Appends events, one on each line, and returns once they are durable",
    parameters: [
      parameter("producer", "The name of a producer that numbers its batches", ["type": "string"]),
      parameter(
        "sequence", "The number of the batch, from 1", ["type": "integer", "minimum": 1]),
      parameter(
        "on-error", "Whether lines that are not events are skipped; otherwise they refuse all",
        ["type": "string", "enum": ["skip", "stop"]]),
      parameter(
        "keep-placeholder-units",
        "Whether a unit that stands for a missing one, such as NULL or (not set), is taken as a unit; otherwise its "
          + "line is invalid", ["type": "boolean", "default": false]),
      [
        "name": "Content-Encoding", "in": "header", "required": false,
        "description": "The compression of the body",
        "schema": ["type": "string", "enum": ["gzip", "identity"]],
      ],
    ],
    responses: [
      (200, "The events are durable", answer),
      (400, "A line, a parameter or the compression is invalid", problem),
      (409, "A batch of the producer is missing before this one", problem),
      (415, "The content encoding is not supported", problem),
    ])

  private static func parameter(
    _ name: String, _ description: String, _ schema: JSONValue
  ) -> JSONValue {
    [
      "name": .string(name), "in": "query", "required": false,
      "description": .string(description), "schema": schema,
    ]
  }

  private static let count: JSONValue = ["type": "integer", "minimum": 0]

  private static let lines: JSONValue = [
    "type": "array",
    "items": [
      "type": "object", "properties": ["line": count, "message": ["type": "string"]],
      "required": ["line", "message"],
    ],
  ]

  private static let answer: JSONValue = [
    "type": "object",
    "properties": [
      "appended": count, "already_there": count, "rejected": count, "position": count,
      "rejections": lines, "differ": count, "differing": lines,
    ],
    "required": ["appended", "already_there", "rejected", "position"],
  ]

  private static let problem: JSONValue = [
    "type": "object",
    "properties": [
      "error": [
        "type": "object",
        "properties": [
          "code": ["type": "string"], "message": ["type": "string"], "line": count,
          "expected": count,
        ],
        "required": ["code", "message"],
      ]
    ],
    "required": ["error"],
  ]
}
