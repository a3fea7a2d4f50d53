internal import Events

/// The key that a client gives with a request.
enum GivenKey {
  /// The names of the parameter of a query, a form or a JSON object.
  static let parameters: Set<String> = ["apikey", "apiKey"]

  /// The header fields that have a key and nothing else.
  static let fields = ["x-mpath-apikey", "x-api-key", "ocp-apim-subscription-key"]

  /// Returns the key in the query or in the header fields; nil if there is none.
  static func inHead(of request: ServiceRequest) -> String? {
    if !request.query.isEmpty, let key = parameter(request.parameters) { return key }
    for field in fields {
      if let key = request.fields[field], !key.isEmpty { return key }
    }
    return bearer(request.fields["authorization"])
  }

  /// Returns the key in the body, a form or a JSON object; nil if there is none.
  ///
  /// - Complexity: O(size of the body).
  static func inBody(of request: ServiceRequest) -> String? {
    let first = request.body.first { $0 > 0x20 }
    guard first == UInt8(ascii: "{") else { return parameter(FormParameters.parse(request.body)) }
    guard let json = try? JSONValue(parsing: request.body) else { return nil }
    return parameters.lazy.sorted().compactMap { json[$0]?.string }.first { !$0.isEmpty }
  }

  private static func parameter(_ list: [FormParameters.Element]) -> String? {
    for case (let name?, let value?) in list where parameters.contains(name) && !value.isEmpty {
      return value
    }
    return nil
  }

  private static func bearer(_ field: String?) -> String? {
    guard let field else { return nil }
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    let token = parts[1].trimmingSpaces
    return token.isEmpty ? nil : token
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at both ends.
  var trimmingSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = drop(while: isSpace)
    guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...end])
  }
}
