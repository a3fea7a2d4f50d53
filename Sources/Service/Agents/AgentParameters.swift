internal import Events

/// The parameters of a call to the agents, from the JSON object or the form of the body, the query, and the header
/// fields; the first that has a parameter wins.
struct AgentParameters: Sendable {
  /// A parameter of a query or a form.
  typealias Pair = (name: String, value: String)

  /// The list of a body; nil if it is not a list.
  private(set) var list: [JSONValue]?
  private let objects: [JSONObject]
  private let pairs: [Pair]
  private let fields: HeaderFields

  /// Reads the parameters of a request, whose body may be a list where the route takes one.
  ///
  /// - Throws: ``ServiceProblem`` with status 400 if the query or the body cannot be read.
  init(_ request: ServiceRequest, takesList: Bool = false) throws(ServiceProblem) {
    let query = try Self.pairs(request.parameters, of: "query")
    let isJSON = query.contains { $0.name == "_type" && $0.value == "json" }
    fields = request.fields
    switch try AgentBody(request, isJSON: isJSON) {
    case .none: (objects, pairs) = ([], query)
    case .form(let form): (objects, pairs) = ([], form + query)
    case .json(.object(let object)): (objects, pairs) = ([object], query)
    case .json(.array(let values)) where takesList:
      list = values.elements
      (objects, pairs) = ([], query)
    case .json(let value):
      throw ServiceProblem(
        400, "invalid-body", "the body must be an object, not \(value.kindName)")
    }
  }

  /// Creates the parameters of an item of a batch: its members, then those of its `query`, then those of the request,
  /// whose body is an object where it has commands.
  init(item: JSONObject, of batch: AgentParameters) {
    objects = [item] + (item["query"]?.object.map { [$0] } ?? []) + batch.objects
    pairs = batch.pairs
    fields = batch.fields
  }

  /// Returns decoded parameters.
  ///
  /// - Throws: ``ServiceProblem`` if one of them could not be decoded.
  static func pairs(
    _ parameters: [FormParameters.Element], of place: String
  ) throws(ServiceProblem) -> [Pair] {
    var pairs: [Pair] = []
    for parameter in parameters {
      guard let name = parameter.name, let value = parameter.value else {
        throw ServiceProblem(
          400, "invalid-\(place)",
          "the \(place) has a malformed escape\(parameter.name.map { " in \"\($0)\"" } ?? ""); "
            + "encode it as UTF-8")
      }
      pairs.append((name, value))
    }
    return pairs
  }

  /// The names of parameters that are also read from the header fields `x-mpath-NAME`.
  private static let headers = [
    "session", "point", "status", "reward", "segment", "features", "ip", "ua", "referer",
  ]

  /// The value of a parameter: a text unless it is from a JSON body; nil if no source has it, or only as null.
  subscript(name: String) -> JSONValue? {
    for object in objects {
      if let value = object[name], value != .null { return value }
    }
    if let pair = pairs.first(where: { $0.name == name }) { return .string(pair.value) }
    guard Self.headers.contains(name) else { return nil }
    return fields["x-mpath-" + name].map { .string($0) }
  }

  /// The value of a header field.
  func field(_ name: String) -> String? { fields[name] }
}
