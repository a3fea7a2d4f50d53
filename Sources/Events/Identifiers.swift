/// A strongly typed name, so that a variant cannot be passed where an experiment is expected. Names are always text:
/// `001` stays `001`. They are compared by their UTF-8 bytes as given, without Unicode normalisation.
public protocol Identifier: Hashable, Comparable, Sendable, Codable, CodingKeyRepresentable,
  ExpressibleByStringLiteral, CustomStringConvertible
{
  /// The name as text.
  var rawValue: String { get set }

  /// Wraps a name.
  init(_ rawValue: String)
}

extension Identifier {
  /// Creates a name from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The name as text.
  public var description: String { rawValue }

  /// Compares by UTF-8 bytes, independently of the locale.
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

  /// Hashes the UTF-8 bytes, consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    rawValue.hashBytes(into: &hasher)
  }
}

/// The unit of assignment: a user, visitor, session or request. Empty only in life-cycle events that concern everyone.
public struct UnitID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// A unique id of an event within its log, for deduplication.
public struct EventID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// The code of an experiment: an agent, an experiment, a rollout, a study.
public struct ExperimentID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// The point in the app at which a decision is made. ``standard`` if an event names none.
public struct PointID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The default point: `point-1`.
  public static let standard: PointID = "point-1"
}

/// The slot of one of several decisions made at a point, such as `color` or a position in a slate. ``standard`` if an
/// event names none.
public struct SlotID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The default slot: `decision-1`.
  public static let standard: SlotID = "decision-1"
}

/// A choice: an arm, a variation, an option.
public struct VariantID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// The code of a goal, or the goal id of a conversion.
public struct GoalID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// The name of a policy, with its parameters if it has any.
public struct PolicyID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// The name of a deciding system. Names other than those below are allowed.
public struct SystemID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The decision service whose agents learn from rewards.
  public static let agents: SystemID = "agents"
  /// Experiments that assign variants by the hash of a visitor.
  public static let experiments: SystemID = "experiments"
  /// Rollouts of features to installations.
  public static let rollouts: SystemID = "rollouts"
  /// Configurations and their settings for users.
  public static let activeConfig: SystemID = "active-config"
  /// Studies that predict which option a user takes next.
  public static let studies: SystemID = "studies"
}

/// The name of an instance of a deciding system, for several instances that share a log.
public struct InstanceID: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// A text as a key where no more specific type fits: of a trait, a datum, a site, a segment. Two texts that look the
/// same but have other bytes, such as `é` in one character or in two, are different keys.
public struct TextKey: Identifier {
  public var rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

// Names that other systems number may be written as an integer: `83023` and `"83023"` are the same.
extension ExperimentID: ExpressibleByIntegerLiteral {
  /// Creates a name from the decimal digits of an integer literal.
  public init(integerLiteral value: Int) { self.init(String(value)) }

  /// Creates a name from the decimal digits of an integer.
  public init(_ number: Int) { self.init(String(number)) }
}

extension VariantID: ExpressibleByIntegerLiteral {
  /// Creates a name from the decimal digits of an integer literal.
  public init(integerLiteral value: Int) { self.init(String(value)) }

  /// Creates a name from the decimal digits of an integer.
  public init(_ number: Int) { self.init(String(number)) }
}

extension GoalID: ExpressibleByIntegerLiteral {
  /// Creates a name from the decimal digits of an integer literal.
  public init(integerLiteral value: Int) { self.init(String(value)) }

  /// Creates a name from the decimal digits of an integer.
  public init(_ number: Int) { self.init(String(number)) }
}
