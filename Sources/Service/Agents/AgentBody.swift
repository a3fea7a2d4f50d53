internal import Events

/// The body of a request of an agents' client.
///
/// Browsers send JSON as `text/plain` with `_type=json` in the query, to avoid a preflight request, and forms in any
/// case; so a text that begins like JSON is JSON, whatever its content type.
enum AgentBody: Sendable {
  case none
  case json(JSONValue)
  case form([AgentParameters.Pair])

  /// Parses the body of a request, as JSON if the client says so in the query.
  ///
  /// - Throws: ``ServiceProblem`` with status 400 if it is neither JSON nor a form.
  init(_ request: ServiceRequest, isJSON: Bool) throws(ServiceProblem) {
    guard let first = request.body.first(where: { !Self.blanks.contains($0) }) else {
      self = .none
      return
    }
    let type = request.fields["content-type"]?.lowercased() ?? ""
    let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if isJSON || looksLikeJSON || type.contains("json") {
      self = .json(try Self.json(request.body))
    } else if type.isEmpty || type.hasPrefix("application/x-www-form-urlencoded")
      || type.hasPrefix("text/plain")
    {
      self = .form(try AgentParameters.pairs(FormParameters.parse(request.body), of: "body"))
    } else {
      throw ServiceProblem(
        400, "invalid-body",
        "the content type \(type.debugDescription) is not known; send JSON or a form")
    }
  }

  private static let blanks: [UInt8] = Array(" \t\r\n".utf8)

  private static func json(_ body: [UInt8]) throws(ServiceProblem) -> JSONValue {
    do {
      return try JSONValue(parsing: body)
    } catch {
      throw ServiceProblem(400, "invalid-json", "the body is not JSON: \(error)")
    }
  }
}
