internal import DecidingCore
internal import Events

/// A problem with a request to rank or reward.
struct PersonalizerProblem: DefinitionProblem, Hashable {
  static let wording = DefinitionWording.brief

  var message: String

  init(_ message: String) { self.message = message }

  static func invalid(_ path: String, _ reason: String) -> PersonalizerProblem {
    PersonalizerProblem("\(path.isEmpty ? "the body" : path) \(reason)")
  }

  /// The problem as the service answers it, with the code that the protocol has for it.
  var problem: ServiceProblem { ServiceProblem(400, "BadRequest", message) }
}

/// The members of a request to rank or reward. Those that a later version of the protocol may have are ignored.
typealias PersonalizerTable<Owner: Sendable> = DefinitionTable<Owner, PersonalizerProblem>

extension PersonalizerTable where Problem == PersonalizerProblem {
  /// Reads the body of a request.
  func read(_ body: [UInt8]) throws(PersonalizerProblem) -> Owner {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: body)
    } catch {
      throw PersonalizerProblem("the body is not JSON: \(error)")
    }
    let part = try read(Reader(json))
    try check(part)
    return part
  }
}

/// A request to reward.
struct PersonalizerReward {
  var value = 0.0

  static let table = PersonalizerTable(
    PersonalizerReward(), others: .ignored, [.required("value", \.value, .number)])

  /// Checks the id of an event in a path.
  static func check(event: String) throws(PersonalizerProblem) {
    try DefinitionKind<String, PersonalizerProblem>.event.check(event, "the event")
  }
}

extension DefinitionKind where Value == String, Problem == PersonalizerProblem {
  /// The id of an event.
  static var event: Self {
    let limit = PersonalizerRank.idLimit
    return text.limited(["minLength": 1, "maxLength": .integer(Int64(limit))]) {
      let count = $0.utf8.count
      return (1...limit).contains(count) ? nil : "has \(count) UTF-8 bytes; give it 1 to \(limit)"
    }
  }
}
