internal import DecidingCore
public import Events

/// A variation of an experiment. The id `0` reads ``Events/VariantID/reference``.
public typealias VariationID = VariantID

extension VariantID {
  /// The variation that everybody sees who is in no experiment: what to show on any error.
  public static let reference: VariantID = "reference"

  /// The id as the experiments write it: `0` is the reference.
  var normalized: VariantID { self == "0" ? .reference : self }

  /// Whether one variation stands before another: by id, the reference as 0.
  static func isOrdered(_ a: VariantID, _ b: VariantID) -> Bool {
    IDOrder.precedes(a == .reference ? "0" : a.rawValue, b == .reference ? "0" : b.rawValue)
  }
}

/// One variation of an experiment and its share of the traffic.
public struct ExperimentVariation: Hashable, Sendable {
  /// Its id; ``Events/VariantID/reference`` for the reference.
  public var id: VariationID
  /// Its share of the traffic, in 0 ... 1.
  public var deviation: Double
  /// Users who were assigned to it up to this time, in whole seconds since 1970, are picked anew; nil when
  /// there is no such time.
  public var respool: Int64?

  /// Makes a variation.
  public init(_ id: VariationID, deviation: Double, respool: Int64? = nil) {
    self.id = id.normalized
    self.deviation = deviation
    self.respool = respool
  }
}

/// An experiment: variations that users are picked for by their hash.
public struct Experiment: Hashable, Sendable {
  /// What sort of campaign it is.
  public enum Kind: String, Sendable, Codable {
    /// A comparison of variations.
    case experiment
    /// A variation for those who are targeted.
    case personalization
  }

  /// Its id.
  public var id: ExperimentID
  /// Its variations, in any order.
  public var variations: [ExperimentVariation]
  /// What sort of campaign it is.
  public var kind: Kind
  /// Whom it is for, as the configuration has it: the id of a segment, or the segment itself; nil is for
  /// everybody.
  public var targeting: JSONValue?
  /// How the policy is written that moves the traffic to the better variations, such as `thompson`; nil
  /// leaves the deviations as they are.
  public var policy: String?
  /// The goal that the policy learns from.
  public var goal: GoalID?
  /// Members of the experiment in the configuration that have no meaning here.
  public var other: JSONObject

  /// Makes an experiment.
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
