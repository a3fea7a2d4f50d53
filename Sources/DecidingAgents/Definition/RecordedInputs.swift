internal import DecidingCore
internal import Events

/// Which inputs of requests are recorded as the context of their decisions, so that a policy can be learned from the
/// log. Those that a learned policy reads are recorded in any case.
public enum RecordedInputs: Hashable, Sendable {
  /// All but `ip`, `ua` and `referer`, which say who a visitor is.
  case all
  /// None.
  case none
  /// Those with these names.
  case only([String])

  /// The names that are recorded only when they are listed.
  private static let personal = ["ip", "ua", "referer"]

  /// Returns whether an input is recorded.
  func includes(_ name: String) -> Bool {
    switch self {
    case .all: !Self.personal.contains { $0.hasSameBytes(as: name) }
    case .none: false
    case .only(let names): names.contains { $0.hasSameBytes(as: name) }
    }
  }
}

extension RecordedInputs: LosslessStringConvertible {
  /// Parses `all`, `none`, or names separated by commas; nil if a name is empty.
  public init?(_ text: String) {
    switch text {
    case "all": self = .all
    case "none": self = .none
    default:
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
      self = .only(names)
    }
  }

  /// The text that ``init(_:)`` parses.
  public var description: String {
    switch self {
    case .all: "all"
    case .none: "none"
    case .only(let names): names.joined(separator: ",")
    }
  }
}

extension RecordedInputs {
  /// `"all"`, `"none"`, or a list of names.
  static let kind = AgentKind<RecordedInputs>(
    ["anyOf": [JSONSchema.word(["all", "none"]), names.schema]]
  ) { (reader) throws(AgentError) in
    switch reader.value {
    case "all": return .all
    case "none": return .none
    case .array: return .only(try names.read(reader))
    default: throw reader.problem("must be \"all\", \"none\" or a list of names")
    }
  } write: {
    if case .only(let list) = $0 { names.write(list) } else { .string($0.description) }
  }

  private static let names = AgentKind<[String]>.list(of: .text)
}
