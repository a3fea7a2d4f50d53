/// A name in a namespace of its own, so that a variant cannot be passed where an experiment is
/// meant. Names are text, always: `001` stays `001`. They are compared by their UTF-8 bytes as
/// given, without Unicode normalisation.
public protocol Identifier: Hashable, Comparable, Sendable, Codable, CodingKeyRepresentable,
  ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The name as text.
  var rawValue: String { get set }

  /// Wraps a name.
  init(_ rawValue: String)
}

extension Identifier {
  /// Wraps a name written in the source.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The name as text.
  public var description: String { rawValue }

  /// Orders by UTF-8 bytes, never by locale.
  public static func < (a: Self, b: Self) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }

  /// Compares by UTF-8 bytes.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    let (x, y) = (a.rawValue.utf8.span, b.rawValue.utf8.span)
    guard x.count == y.count else { return false }
    for index in x.indices where x[index] != y[index] { return false }
    return true
  }

  /// Hashes the UTF-8 bytes, to agree with `==`.
  public func hash(into hasher: inout Hasher) {
    rawValue.hashBytes(into: &hasher)
  }
}

/// Whoever is assigned: a user, visitor, session or request. Empty only in life-cycle events that
/// concern everyone.
public struct UnitID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// What tells an event apart from every other one of its log, for de-duplication.
public struct EventID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// What is being decided: an agent, an experiment, a rollout, a study.
public struct ExperimentID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// Where in the app a decision is made. ``standard`` when an event names none.
public struct PointID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The point of an event that names none: `point-1`.
  public static let standard: PointID = "point-1"
}

/// One of several decisions made at a point, such as `color` or a position in a slate. ``standard`` when
/// an event names none.
public struct SlotID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The slot of an event that names none: `decision-1`.
  public static let standard: SlotID = "decision-1"
}

/// One choice: an arm, a variation, an option.
public struct VariantID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// What a unit did that counts: the code of a goal, or the id of a conversion's goal.
public struct GoalID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// What chose: the name of a policy, with its parameters where it has any.
public struct PolicyID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// Which deciding system wrote an event. Any other name is kept as it is.
public struct SystemID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The decision service whose agents learn from rewards.
  public static let agents: SystemID = "agents"
  /// Experiments by the hash of a visitor.
  public static let experiments: SystemID = "experiments"
  /// Rollouts of features to installations.
  public static let rollouts: SystemID = "rollouts"
  /// Configurations and their settings for users.
  public static let activeConfig: SystemID = "active-config"
  /// Studies that predict which option a user takes next.
  public static let studies: SystemID = "studies"
}

/// Tells apart the instances of one deciding system that share a log.
public struct InstanceID: Identifier {
  /// The name as text.
  public var rawValue: String

  /// Wraps a name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// A text as a key where nothing narrower fits: of a trait, a datum, a site, a segment. Two texts that look the same
/// but have other bytes, such as `é` in one character or in two, are different keys.
public struct TextKey: Identifier {
  /// The text.
  public var rawValue: String

  /// Wraps a text.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

// The names that other systems number may be written as a whole number: `83023` and `"83023"` are the same.
extension ExperimentID: ExpressibleByIntegerLiteral {
  /// A number written in the source, as its decimal digits.
  public init(integerLiteral value: Int) { self.init(String(value)) }
}

extension VariantID: ExpressibleByIntegerLiteral {
  /// A number written in the source, as its decimal digits.
  public init(integerLiteral value: Int) { self.init(String(value)) }
}

extension GoalID: ExpressibleByIntegerLiteral {
  /// A number written in the source, as its decimal digits.
  public init(integerLiteral value: Int) { self.init(String(value)) }
}
