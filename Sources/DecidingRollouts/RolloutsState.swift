public import DecidingCore
public import Events

/// The state of a rollout system: the saved numbers and variants, the last result of each unit, overrides,
/// and the configuration that was applied last.
public struct RolloutsState: DecidingState {
  /// The result of a unit.
  struct Outcome: Hashable, Sendable, Codable {
    /// The variant, or the default as it is logged.
    var variant: VariantID
    /// The reason for a default, or that it was forced; nil for the unit's own variant.
    var reason: String?
  }

  /// The saved draw of a unit in an experiment.
  struct Draw: Hashable, Sendable, Codable {
    var number: Double?
    var variant: VariantID?
    /// The propensity of the decision for the variant.
    var propensity: Double?
    var last: Outcome?

    /// Whether there is anything to discard.
    var isDrawn: Bool { number != nil || variant != nil }
  }

  /// The name of the system in the log.
  public static let system = SystemID.rollouts
  /// The policy of every decision of this system, which identifies them.
  static let policy: PolicyID = "weights"
  /// The kind of data points with a number.
  static let drawKind = "draw"
  /// The reasons for which a draw is discarded.
  static let removals: [Reason] = [.conditions, .unknownExperiment]
  static let requested = "requested"

  private var draws: [UnitID: [ExperimentID: Draw]] = [:]
  private(set) var overrides = Overrides()
  /// The configuration applied last, as JSON; nil when there is none, or the last one was removed.
  private(set) var configuration: String?

  /// Creates an empty state.
  public init() {}

  /// Returns the saved draw of the unit in the experiment; nil when there is none.
  func draw(of unit: UnitID, in experiment: ExperimentID) -> Draw? { draws[unit]?[experiment] }

  /// Applies an event.
  public mutating func take(_ event: Event) {
    switch event.payload {
    case .dataPoint(let point): apply(point, of: event.unit)
    case .decision(let decision): apply(decision, of: event.unit)
    case .assignmentRemoved(let removed): apply(removed, of: event.unit)
    case .configurationApplied(let applied):
      if overrides.apply(event, system: Self.system) { return }
      guard applied.system == Self.system, applied.experiment == nil else { return }
      let text = applied.configuration?.text
      configuration = text == JSONText.null.text ? nil : text
    default: break
    }
  }

  private mutating func apply(_ point: DataPoint, of unit: UnitID) {
    guard point.kind == Self.drawKind, let experiment = point.key,
      case .number(let number)? = point.value, number >= 0, number <= 1
    else { return }
    change(ExperimentID(experiment), of: unit) { draw in
      draw.number = number
      // The saved variant belonged to another number.
      draw.variant = nil
      draw.propensity = nil
    }
  }

  private mutating func apply(_ decision: Decision, of unit: UnitID) {
    guard decision.policy == Self.policy else { return }
    let isForced = decision.reason == Reason.forced.rawValue
    var outcome = Outcome(variant: decision.variant, reason: nil)
    if isForced || decision.status == .excluded { outcome.reason = decision.reason ?? "" }
    change(decision.experiment, of: unit) { draw in
      draw.last = outcome
      guard decision.status ?? .confirmed == .confirmed, !isForced else { return }
      draw.variant = decision.variant
      draw.propensity = decision.propensity
    }
  }

  private mutating func apply(_ removed: AssignmentRemoved, of unit: UnitID) {
    guard let experiment = removed.experiment, draws[unit]?[experiment] != nil,
      removed.reason == Self.requested
        || Self.removals.contains(where: { $0.rawValue == removed.reason })
    else { return }
    change(experiment, of: unit) { draw in
      draw.number = nil
      draw.variant = nil
      draw.propensity = nil
    }
  }

  private mutating func change(
    _ experiment: ExperimentID, of unit: UnitID, _ body: (inout Draw) -> Void
  ) {
    body(&draws[unit, default: [:]][experiment, default: Draw()])
  }
}
