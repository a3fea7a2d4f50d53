internal import Events

/// A problem with a request to rank or reward.
struct PersonalizerProblem: Error, Hashable {
  var message: String

  init(_ message: String) { self.message = message }

  /// The problem as the service answers it, with the code that the protocol has for it.
  var problem: ServiceProblem { ServiceProblem(400, "BadRequest", message) }
}

/// Reads the bodies of requests to rank and reward.
enum PersonalizerBody {
  /// Returns the object of a body.
  static func object(_ body: [UInt8]) throws(PersonalizerProblem) -> JSONObject {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: body)
    } catch {
      throw PersonalizerProblem("the body is not JSON: \(error)")
    }
    guard let object = json.object else {
      throw PersonalizerProblem("the body is \(json.kindName); it must be an object")
    }
    return object
  }

  /// Checks the id of an event.
  static func check(event: String) throws(PersonalizerProblem) {
    guard (1...PersonalizerRank.idLimit).contains(event.utf8.count) else {
      throw PersonalizerProblem(
        "the event id has \(event.utf8.count) UTF-8 bytes; give it 1 to \(PersonalizerRank.idLimit)"
      )
    }
  }
}

extension JSONObject {
  /// Returns a list; nil if there is none.
  func list(_ name: String) throws(PersonalizerProblem) -> [JSONValue]? {
    guard let value = self[name], value != .null else { return nil }
    guard let list = value.array else {
      throw PersonalizerProblem("\(name) is \(value.kindName); it must be a list")
    }
    return list
  }

  /// Returns a text; nil if there is none.
  func text(_ name: String) throws(PersonalizerProblem) -> String? {
    guard let value = self[name], value != .null else { return nil }
    guard let text = value.string else {
      throw PersonalizerProblem("\(name) is \(value.kindName); it must be a text")
    }
    return text
  }

  /// Returns a truth value; nil if there is none.
  func flag(_ name: String) throws(PersonalizerProblem) -> Bool? {
    guard let value = self[name], value != .null else { return nil }
    guard let flag = value.boolean else {
      throw PersonalizerProblem("\(name) is \(value.kindName); it must be true or false")
    }
    return flag
  }
}
