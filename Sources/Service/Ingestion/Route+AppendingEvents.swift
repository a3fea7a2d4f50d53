internal import DecidingCore
internal import Events

extension Route.Description {
  /// Sending events.
  static let appendingEvents = Route.Description(
    operation: "appendEvents",
    summary: "Appends events, one on each line, and returns once they are durable",
    parameters: [
      JSONSchema.parameter("producer", "The name of a producer that numbers its batches", JSONSchema.string),
      JSONSchema.parameter(
        "sequence", "The number of the batch, from 1", ["type": "integer", "minimum": 1]),
      JSONSchema.parameter(
        "on-error", "Whether lines that are not events are skipped; otherwise they refuse all",
        JSONSchema.word(["skip", "stop"])),
      JSONSchema.parameter(
        "keep-placeholder-units",
        "Whether a unit that stands for a missing one, such as NULL or (not set), is taken as a unit; otherwise its "
          + "line is invalid", ["type": "boolean", "default": false]),
      JSONSchema.parameter(
        "Content-Encoding", "The compression of the body", JSONSchema.word(["gzip", "identity"]),
        in: "header"),
    ],
    body: ["type": "string", "description": "Events as JSON Lines"], bodyType: "application/x-ndjson",
    responses: [
      (200, "The events are durable", JSONSchema.appended),
      (400, "A line, a parameter or the compression is invalid", JSONSchema.appendingProblem),
      (409, "A batch of the producer is missing before this one", JSONSchema.appendingProblem),
      (415, "The content encoding is not supported", JSONSchema.appendingProblem),
    ])
}

extension JSONSchema {
  private static let lines = list(
    of: object(["line": count, "message": string], required: ["line", "message"]))

  fileprivate static let appended = object(
    [
      "appended": count, "already_there": count, "rejected": count, "position": count,
      "rejections": lines, "differ": count, "differing": lines,
    ], required: ["appended", "already_there", "rejected", "position"])

  fileprivate static let appendingProblem = problem(["line": count, "expected": count])
}
