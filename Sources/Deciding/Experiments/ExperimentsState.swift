public import Events

/// What the experiments know: the configurations of the sites, and of each visitor the saved variations, the
/// visits, and what the data add up to.
public struct ExperimentsState: DecidingState {
  /// What is known of one visitor.
  struct Visitor: Hashable, Sendable, Codable {
    /// The saved variations by experiment or flag.
    var assignments: [ExperimentID: Assignment] = [:]
    /// The visits.
    var visits = VisitHistory()
    /// What conversions and data points add up to.
    var knowledge = VisitorKnowledge()
    /// The forced variations that were shown already, by experiment or flag.
    var forced: [ExperimentID: VariationID] = [:]
  }

  /// The name of the system in configuration events and snapshots.
  static let system = "experiments"

  /// The configurations in use, by site code.
  var sites: [String: Site] = [:]
  /// What is known of each visitor.
  var visitors: [UnitID: Visitor] = [:]
  /// Which variations are forced.
  var overrides = Overrides()

  /// Nothing is known.
  public init() {}

  /// Takes an event into account.
  public mutating func apply(_ event: Event) {
    switch event.payload {
    case .conversion, .dataPoint:
      visitors[event.unit, default: Visitor()].knowledge.apply(event.payload)
    default: break
    }
  }
}
