internal import DecidingAgents
internal import Events

/// The definition of an agent as clients send it: with members that are only returned, and also in the older form
/// `{"code":"shop","owner":"acme","created":"…","goals":[{"code":"sale","settings":{"max":9}}],
/// "points":[{"code":"cart","decisions":[{"code":"color","choices":[{"code":"red"}]}]}]}`.
struct SentDefinition {
  /// The definition as `AgentDefinition` reads it.
  let json: JSONValue

  /// The members that are returned with a definition, and have no effect when they are sent.
  private static let returned = ["owner", "created", "state"]

  /// Rewrites what a client sent.
  ///
  /// - Parameters:
  ///   - sent: The body.
  ///   - agent: The agent of the path.
  ///   - owner: The owner of the path.
  /// - Throws: ``AgentError/invalidDefinition(path:reason:)`` if it is not an object, or of another agent or owner.
  init(_ sent: JSONValue, agent: String, owner: String) throws(AgentError) {
    guard var object = sent.object else {
      throw .invalidDefinition(path: "", reason: "must be an object, not \(sent.kindName)")
    }
    for name in ["agent", "code"] { try Self.check(object[name], agent, name) }
    try Self.check(object["owner"], owner, "owner")
    for name in Self.returned + ["code"] { object[name] = nil }
    object["agent"] = .string(agent)
    object["goals"] = object["goals"].map { Self.mapObjects($0, Self.goal) }
    object["points"] = object["points"].map { Self.mapObjects($0, Self.point) }
    json = .object(object)
  }

  private static func check(
    _ value: JSONValue?, _ expected: String, _ path: String
  ) throws(AgentError) {
    guard let value, value != .string(expected) else { return }
    throw .invalidDefinition(
      path: path, reason: "must be \"\(expected)\", as in the path, not \(value)")
  }

  private static func mapObjects(
    _ list: JSONValue, _ change: (JSONObject) -> JSONObject
  ) -> JSONValue {
    guard let elements = list.array else { return list }
    return .array(elements.map { $0.object.map { .object(change($0)) } ?? $0 })
  }

  /// Moves the settings of a goal into the goal itself.
  private static func goal(_ goal: JSONObject) -> JSONObject {
    guard let settings = goal["settings"]?.object else { return goal }
    var goal = goal
    goal["settings"] = nil
    for member in settings.members where goal[member.name] == nil {
      goal[member.name] = member.value
    }
    return goal
  }

  /// Renames the decisions of a point to slots.
  private static func point(_ point: JSONObject) -> JSONObject {
    guard let decisions = point["decisions"], point["slots"] == nil else { return point }
    var point = point
    point["decisions"] = nil
    point["slots"] = decisions
    return point
  }
}
