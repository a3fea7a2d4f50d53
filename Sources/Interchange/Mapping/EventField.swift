import Specifications

/// A field of an event that a mapping can fill.
public enum EventField: Hashable, Sendable {
  /// A field with a fixed name.
  case plain(Plain)
  /// An attribute of a decision's context.
  case context(String)
  /// An attribute of one choice.
  case features(variant: String, name: String)
  /// The attributes of the choice that was taken: members of objects, as in `item.*`.
  case chosenFeatures
  /// An attribute of a goal or conversion.
  case metadata(String)
  /// A list of objects that each have a name and a value, which is read as an object with these members.
  case members(String)

  /// The fields with a fixed name.
  public enum Plain: Int, CaseIterable, Sendable {
    case time, unit, id, type, experiment, point, slot, variant, choices, propensity
    case probabilities, policy, reason, status, goal, value, revenue, negative, kind, key
    /// The value of a goal `reward` of the same row.
    case reward
    /// Decides whether the event is there: not if the column is empty, 0 or false.
    case when
    /// Decides whether the event is there: only if the column is empty, 0 or false.
    case unless
    /// Columns of which each is an event of its own.
    case each
    /// Whether no two events have the same id.
    case unique

    /// The field as it is written.
    public var name: String { "\(self)" }

    /// The meaning of the field, in a few words.
    public var meaning: String {
      switch self {
      case .time: "when it happened: ISO 8601, or seconds to nanoseconds since 1970"
      case .unit: "the user, visitor, device or session"
      case .id: "an id of the event, so that it is stored once"
      case .type: "decision, goal, conversion or dataPoint; otherwise told by the other fields"
      case .experiment: "the experiment; otherwise --experiment or the file's name"
      case .point: "where in the app"
      case .slot: "the slot or position"
      case .variant: "the variant chosen; a row with one is a decision"
      case .choices: "all variants to choose from, as a list"
      case .propensity: "the probability with which the variant was chosen"
      case .probabilities: "the probability of each choice, as a list"
      case .policy: "what chose"
      case .reason: "why"
      case .status: "the status of a decision or goal"
      case .goal: "the goal reached"
      case .value: "the value of the goal, or of a data point"
      case .revenue: "the revenue of a conversion; of cents, COLUMN / 100"
      case .negative: "whether it reverses an earlier one, as a revenue below 0 does; ={refund}: told by the goal"
      case .kind: "the kind of a data point"
      case .key: "the key of a data point"
      case .reward: "the value of a goal \"reward\" of the same row, where it is not empty"
      case .when: "the event is there unless this column is empty, 0 or false, or only if it is == CONTENT (or *)"
      case .unless: "the event is there only if this column is empty, 0 or false, or unless it is == CONTENT"
      case .each:
        "columns, or members of an object as in traits.*, each an event: {column} is its name, {value} its content"
      case .unique: "=true if no two events have the same id: of two that do, the second is a second delivery"
      }
    }
  }

  /// The field as it is written: `unit`, `context.country`.
  public var text: String {
    switch self {
    case .plain(let plain): plain.name
    case .context(let name): "context.\(name)"
    case .features(let variant, let name): "features.\(variant).\(name)"
    case .chosenFeatures: "features.*"
    case .metadata(let name): "metadata.\(name)"
    case .members(let list): "members.\(list)"
    }
  }

  /// Creates the field that is written so.
  ///
  /// - Throws: `SpecificationError` if there is no such field.
  init(_ text: String) throws(SpecificationError) {
    if let plain = Plain.allCases.first(where: { $0.name == text }) {
      self = .plain(plain)
      return
    }
    // By bytes, since a combining character after it makes another `Character` of the point.
    let point = UInt8(ascii: ".")
    let end = text.utf8.firstIndex(of: point) ?? text.endIndex
    let rest = end < text.endIndex ? String(text[text.utf8.index(after: end)...]) : ""
    switch text[..<end] {
    case "context" where !rest.isEmpty: self = .context(rest)
    case "metadata" where !rest.isEmpty: self = .metadata(rest)
    case "members" where !rest.isEmpty: self = .members(rest)
    case "features" where rest == "*": self = .chosenFeatures
    case "features":
      guard let dot = rest.utf8.firstIndex(of: point), dot != rest.startIndex,
        rest.utf8.index(after: dot) != rest.endIndex
      else { throw SpecificationError("\"\(text)\": write features.VARIANT.NAME or features.*") }
      self = .features(
        variant: String(rest[..<dot]), name: String(rest[rest.utf8.index(after: dot)...]))
    default:
      throw SpecificationError(
        NearestName.unknown(
          "field", text,
          among: Plain.allCases.map(\.name) + [
            "context.NAME", "features.VARIANT.NAME", "metadata.NAME", "members.LIST",
          ]))
    }
  }
}
