import Events
import Foundation
import TestSupport

/// A JSON value as a tree: the naive picture of an event that the fast codec is compared with.
indirect enum PlainJSON {
  case number(Double)
  case integer(Int64)
  case text(String)
  case flag(Bool)
  case raw(String)
  case list([PlainJSON])
  case object([(String, PlainJSON)])
}

extension PlainJSON {
  /// The event as a tree, written from DESIGN's description of the fields.
  init(_ event: Event) {
    var members: [(String, PlainJSON?)] = [
      ("type", .text(event.kind.name)), ("time", .text(event.time.description)),
      ("unit", .text(event.unit.rawValue)), ("id", event.id.map { .text($0.rawValue) }),
      ("system", event.system.map { .text($0.rawValue) }),
      ("instance", event.instance.map { .text($0.rawValue) }),
    ]
    switch event.payload {
    case .decision(let decision): members += Self.members(decision)
    case .goal(let goal):
      members += [
        ("experiment", .text(goal.experiment.rawValue)),
        ("point", goal.point.map { .text($0.rawValue) }),
        ("slot", goal.slot.map { .text($0.rawValue) }), ("goal", .text(goal.goal.rawValue)),
        ("value", goal.value.map { .number($0) }), ("status", goal.status.map { .text($0.name) }),
        ("reason", goal.reason.map { .text($0) }), ("metadata", goal.metadata.map { .init($0) }),
      ]
    case .conversion(let conversion):
      members += [
        ("goal", .text(conversion.goal.rawValue)),
        ("revenue", conversion.revenue.map { .number($0) }),
        ("negative", conversion.negative.map { .flag($0) }),
        ("metadata", conversion.metadata.map { .init($0) }),
      ]
    case .dataPoint(let point):
      members += [
        ("kind", .text(point.kind)), ("key", point.key.map { .text($0) }),
        ("value", point.value.map { .init($0) }),
      ]
    case .sessionExpired(let session):
      members += [
        ("experiment", session.experiment.map { .text($0.rawValue) }),
        ("reason", session.reason.map { .text($0) }),
      ]
    case .assignmentRemoved(let assignment):
      members += [
        ("experiment", assignment.experiment.map { .text($0.rawValue) }),
        ("reason", assignment.reason.map { .text($0) }),
      ]
    case .decisionConfirmed(let confirmation):
      members += [
        ("experiment", .text(confirmation.experiment.rawValue)),
        ("point", confirmation.point.map { .text($0.rawValue) }),
        ("slot", confirmation.slot.map { .text($0.rawValue) }),
      ]
    case .configurationApplied(let applied):
      members += [
        ("experiment", applied.experiment.map { .text($0.rawValue) }),
        ("reason", applied.reason.map { .text($0) }),
        ("changed", applied.changed.map { .list($0.map { .text($0) }) }),
        ("configuration", applied.configuration.map { .raw($0.text) }),
      ]
    }
    self = .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  private static func members(_ decision: Decision) -> [(String, PlainJSON?)] {
    let features = decision.features?.entries.map { entry in
      (entry.variant.rawValue, PlainJSON(entry.attributes))
    }
    return [
      ("experiment", .text(decision.experiment.rawValue)),
      ("point", decision.point.map { .text($0.rawValue) }),
      ("slot", decision.slot.map { .text($0.rawValue) }),
      ("variant", .text(decision.variant.rawValue)),
      ("choices", decision.choices.map { .list($0.map { .text($0.rawValue) }) }),
      ("propensity", decision.propensity.map { .number($0) }),
      ("probabilities", decision.probabilities.map { .list($0.map { .number($0) }) }),
      ("policy", decision.policy.map { .text($0.rawValue) }),
      ("reason", decision.reason.map { .text($0) }),
      ("status", decision.status.map { .text($0.name) }),
      ("context", decision.context.map { .init($0) }), ("features", features.map { .object($0) }),
    ]
  }

  private init(_ attributes: Attributes) {
    self = .object(attributes.entries.map { ($0.name, PlainJSON($0.value)) })
  }

  private init(_ value: AttributeValue) {
    switch value {
    case .number(let number): self = .number(number)
    case .integer(let integer): self = .integer(integer)
    case .text(let text): self = .text(text)
    case .flag(let flag): self = .flag(flag)
    }
  }

  /// Whether Foundation read the same value. Members of the object that the tree does not have are
  /// answered by name.
  func differences(from value: Any, path: String = "") -> [String] {
    switch self {
    case .number(let number):
      // Foundation keeps the decimal and rounds it to a Double by a way of its own, which may be off
      // by one bit; its text says what it read.
      let same = (value as? NSNumber)?.doubleValue == number || Double("\(value)") == number
      return same ? [] : ["\(path): \(number) / \(value)"]
    case .integer(let integer):
      return (value as? NSNumber)?.int64Value == integer ? [] : ["\(path): \(integer) / \(value)"]
    case .flag(let flag): return value as? Bool == flag ? [] : ["\(path): \(flag) / \(value)"]
    case .text(let text):
      let same = (value as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
      return same ? [] : ["\(path): \(text.debugDescription) / \(value)"]
    case .raw(let text):
      let own = try? JSONSerialization.jsonObject(with: Data("[\(text)]".utf8))
      let texts = [own, [value]].map { object in
        object.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
      }
      return texts[0] != nil && texts[0] == texts[1] ? [] : ["\(path): \(text) / \(value)"]
    case .list(let list):
      guard let values = value as? [Any], values.count == list.count else {
        return ["\(path): count"]
      }
      return zip(list, values).flatMap { $0.differences(from: $1, path: path + "[]") }
    case .object(let members):
      guard let values = value as? [String: Any] else { return ["\(path): no object"] }
      return members.flatMap { name, member in
        values[name].map { member.differences(from: $0, path: path + "." + name) }
          ?? ["\(path).\(name): missing"]
      } + (values.count == members.count || path.isEmpty ? [] : ["\(path): more members"])
    }
  }

  /// The value as JSON text in one of its many spellings: keys in any order, white space, escapes.
  func spelled(using generator: inout SeededGenerator) -> String {
    let space = { (generator: inout SeededGenerator) in
      generator.pick(["", "", "", " ", "  \t", "\r "], or: "")
    }
    switch self {
    case .number(let number): return Self.spell(number, using: &generator)
    case .integer(let integer): return "\(integer)"
    case .flag(let flag): return "\(flag)"
    case .raw(let text): return text
    case .text(let text): return Self.spell(text, using: &generator)
    case .list(let list):
      let parts = list.map { space(&generator) + $0.spelled(using: &generator) + space(&generator) }
      return "[" + parts.joined(separator: ",") + "]"
    case .object(let members):
      let parts = members.map { name, value in
        space(&generator) + Self.spell(name, using: &generator) + space(&generator) + ":"
          + space(&generator) + value.spelled(using: &generator) + space(&generator)
      }
      return "{" + parts.joined(separator: ",") + "}"
    }
  }

  /// The same object with its own members in another order.
  func shuffled(using generator: inout SeededGenerator) -> PlainJSON {
    guard case .object(let members) = self else { return self }
    return .object(members.shuffled(using: &generator))
  }

  private static func spell(_ number: Double, using generator: inout SeededGenerator) -> String {
    let plain = "\(number)"
    guard !plain.contains("e"), generator.chance(0.5) else { return plain }
    return plain + generator.pick(["0", "e0", "00E+00", "e-0"], or: "0")
  }

  private static func spell(_ text: String, using generator: inout SeededGenerator) -> String {
    let escapes = generator.chance(0.3)
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        || (escapes && generator.chance(0.3))
      {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: generator.chance(0.5))
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
