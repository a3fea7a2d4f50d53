internal import Events

/// The problems of requests that send events which have more to say than a message.
enum IngestionProblem {
  /// A batch that does not follow the last one of its producer.
  struct Gap: Error {
    var expected: UInt64
    var given: UInt64

    var response: ServiceResponse {
      ServiceResponse(
        status: 409,
        json: [
          "error": [
            "code": "out-of-sequence",
            "message": .string(
              "batch \(given) of the producer where \(expected) is expected; send what is missing first"
            ),
            "expected": .integer(Int64(clamping: expected)),
          ]
        ])
    }
  }

  /// Returns the response to a line that is not an event.
  static func response(to rejection: SentEvents.Rejection) -> ServiceResponse {
    ServiceResponse(
      status: 400,
      json: [
        "error": [
          "code": "invalid-line",
          "message": .string(
            rejection.message
              + "; nothing was appended: fix the line, or skip such lines with on-error=skip"),
          "line": .integer(Int64(rejection.line)),
        ]
      ])
  }
}
