internal import Events
internal import Tables

/// Why a flag cannot be evaluated, as the OpenFeature Remote Evaluation Protocol describes it.
struct FlagProblem: Error, Hashable {
  /// The codes of problems.
  enum Code: String, CaseIterable {
    /// The body is not JSON.
    case parseError = "PARSE_ERROR"
    /// The context has no targeting key.
    case targetingKeyMissing = "TARGETING_KEY_MISSING"
    /// The context, or a member of it, is invalid.
    case invalidContext = "INVALID_CONTEXT"
    /// There is no such flag.
    case flagNotFound = "FLAG_NOT_FOUND"
    /// Any other problem.
    case general = "GENERAL"
  }

  var code: Code
  /// The fault and its remedy.
  var details: String

  init(_ code: Code, _ details: String) {
    self.code = code
    self.details = TerminalText.message(details)
  }

  /// The body of a response, or the entry of a flag among several; nil as key where no flag is concerned.
  func json(key: String?) -> JSONValue {
    var object: JSONObject = [
      "errorCode": .string(code.rawValue), "errorDetails": .string(details),
    ]
    object["key"] = key.map { .string($0) }
    return .object(object)
  }

  /// Returns the response to a problem of a whole request.
  func response(key: String?) -> ServiceResponse {
    ServiceResponse(status: code == .flagNotFound ? 404 : 400, json: json(key: key))
  }
}
