internal import DecidingCore
public import Events

/// A variation of an experiment. The id `0` reads ``Events/VariantID/reference``.
public typealias VariationID = VariantID

extension VariantID {
  /// The variation for users who are in no experiment, and the fallback to show on any error.
  public static let reference: VariantID = "reference"

  /// The normalized id: `0` becomes the reference.
  var normalized: VariantID { self == "0" ? .reference : self }

  /// Returns whether one variation precedes another: by id, the reference as 0.
  static func isOrdered(_ a: VariantID, _ b: VariantID) -> Bool {
    IDOrder.precedes(a == .reference ? "0" : a.rawValue, b == .reference ? "0" : b.rawValue)
  }
}

/// A variation of an experiment and its traffic allocation.
public struct ExperimentVariation: Hashable, Sendable {
  /// The id; ``Events/VariantID/reference`` for the reference.
  public var id: VariationID
  /// The share of traffic, in 0 ... 1.
  public var deviation: Double
  /// The respool time, in whole seconds since 1970: users assigned to the variation at or before it are
  /// assigned again; nil when there is none.
  public var respool: Int64?

  /// Creates a variation.
  public init(_ id: VariationID, deviation: Double, respool: Int64? = nil) {
    self.id = id.normalized
    self.deviation = deviation
    self.respool = respool
  }
}

/// An experiment, whose variations are assigned by a hash of the user.
public struct Experiment: Hashable, Sendable {
  /// The kind of campaign.
  public enum Kind: String, Sendable, Codable {
    /// A comparison of variations.
    case experiment
    /// A variation for targeted users.
    case personalization
  }

  /// The id of the experiment.
  public var id: ExperimentID
  /// The variations, in any order.
  public var variations: [ExperimentVariation]
  /// The kind of campaign.
  public var kind: Kind
  /// The targeting as configured: the id of a segment, or the segment itself; nil for all users.
  public var targeting: JSONValue?
  /// The specification of the policy that reallocates traffic to better variations, such as `thompson`; nil
  /// to keep the configured deviations.
  public var policy: String?
  /// The goal that the policy learns from.
  public var goal: GoalID?
  /// Configured members of the experiment that are not interpreted.
  public var other: JSONObject

  /// Creates an experiment.
  public init(
    _ id: ExperimentID, variations: [ExperimentVariation], kind: Kind = .experiment,
    targeting: JSONValue? = nil, policy: String? = nil, goal: GoalID? = nil,
    other: JSONObject = JSONObject()
  ) {
    self.id = id
    self.variations = variations
    self.kind = kind
    self.targeting = targeting
    self.policy = policy
    self.goal = goal
    self.other = other
  }
}
