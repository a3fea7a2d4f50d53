public import DecidingCore
public import Events

/// What a rollout system knows: the saved numbers and variants, what each unit got last, overrides, and the
/// configuration that was applied last.
public struct RolloutsState: DecidingState {
  /// What a unit got.
  struct Outcome: Hashable, Sendable, Codable {
    /// The variant, or the default as it is logged.
    var variant: VariantID
    /// Why it was the default, or that it was forced; nil for a variant that is its own.
    var reason: String?
  }

  /// What is saved of a unit in an experiment.
  struct Draw: Hashable, Sendable, Codable {
    var number: Double?
    var variant: VariantID?
    /// That of the decision for the variant.
    var propensity: Double?
    var last: Outcome?

    /// Whether there is anything to forget.
    var isDrawn: Bool { number != nil || variant != nil }
  }

  /// The name of the system in the log.
  public static let system = SystemID.rollouts
  /// The policy of every decision of this system, which tells them from those of others.
  static let policy: PolicyID = "weights"
  /// The kind of the data points that hold a number.
  static let drawKind = "draw"
  /// Why a draw is forgotten.
  static let removals: [Reason] = [.conditions, .unknownExperiment]
  static let requested = "requested"

  private var draws: [UnitID: [ExperimentID: Draw]] = [:]
  private(set) var overrides = Overrides()
  /// The configuration applied last, as JSON; nil when there is none, or the last one was removed.
  private(set) var configuration: String?

  /// What is known before the first event.
  public init() {}

  /// What is saved of the unit in the experiment; nil when nothing is.
  func draw(of unit: UnitID, in experiment: ExperimentID) -> Draw? { draws[unit]?[experiment] }

  /// Takes an event into account.
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
      // A variant that another number led to is no longer explained by anything.
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
