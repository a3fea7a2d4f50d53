internal import Bandits
public import DecidingCore
public import Events

/// The state of the experiments: the configurations of the sites, and for each visitor the saved variations,
/// the visits, and the accumulated data.
public struct ExperimentsState: DecidingState {
  /// The state of one visitor.
  struct Visitor: Hashable, Sendable, Codable {
    /// The saved variations by experiment or flag.
    var assignments = OrderedMap<ExperimentID, Assignment>()
    /// The visits of the visitor.
    var visits = VisitHistory()
    /// The accumulated data: an array of none or one, so that the many visitors without any stay small.
    private var learned: [VisitorKnowledge] = []
    /// The forced variations already shown, by experiment or flag.
    var forced: [ExperimentID: VariationID] = [:]

    /// The accumulated data.
    var knowledge: VisitorKnowledge { learned.first ?? VisitorKnowledge() }

    /// Applies a conversion or data point.
    mutating func learn(_ payload: Payload) {
      if learned.isEmpty { learned.append(VisitorKnowledge()) }
      learned[0].apply(payload)
    }
  }

  /// The tallies of an experiment's variations.
  struct Learning: Hashable, Sendable, Codable {
    /// The decisions of each variation, and their rewards.
    var tallies = OrderedMap<VariationID, ArmTally>()
    /// The number of conversions credited since the last reallocation.
    var news = 0
  }

  /// The name of the system in configuration events and snapshots.
  public static let system = SystemID.experiments
  /// The kind of data points that record visitor activity.
  static let activityKind = "activity"
  /// The attribution window: the time after an exposure during which conversions are credited to it.
  private static let windowMicroseconds: Int64 = 7 * 86_400_000_000

  /// The configurations in use, by site code.
  private(set) var sites = OrderedMap<TextKey, Site>()
  /// The visitors by id.
  private(set) var visitors = OrderedMap<UnitID, Visitor>()
  /// The tallies of each experiment.
  private(set) var learning = OrderedMap<ExperimentID, Learning>()
  /// The forced variations.
  private(set) var overrides = Overrides()
  /// The overrides that still evaluate the targeting; true for each of them.
  private(set) var targetedOverrides: [ExperimentID: [UnitID: Bool]] = [:]
  /// The overrides whose decisions are not logged; true for each of them.
  private(set) var simulatedOverrides: [ExperimentID: [UnitID: Bool]] = [:]

  /// Creates an empty state.
  public init() {}

  /// Applies an event.
  public mutating func take(_ event: Event) {
    switch event.payload {
    case .decision(let decision): apply(decision, event)
    case .decisionConfirmed(let confirmed): apply(confirmed, event)
    case .conversion(let conversion): apply(conversion, event)
    case .dataPoint(let datum): apply(datum, event)
    case .configurationApplied(let applied): apply(applied, event)
    case .goal, .sessionExpired, .assignmentRemoved: break
    }
  }

  /// Returns whether a decision with this reason belongs to this system. The two most common ones need no
  /// hashing.
  private static func isOurs(_ reason: String) -> Bool {
    reason == "hash" || reason == "sticky" || reasons.contains(reason)
  }

  /// The reasons of this system's decisions; any other reason is of another system.
  private static let reasons: Set<String> = Set(
    ([
      .hash, .sticky, .reallocated, .adaptive, .delivered, .forced, .holdout, .exclusionGroup,
      .outsideSchedule, .notTargeted, .notAllocated, .disabled, .noConsent, .default,
    ] as [Reason]).map(\.rawValue))

  /// Returns the visitor's saved variation and the forced one already shown.
  func memory(of unit: UnitID, in id: ExperimentID) -> (saved: Assignment?, forced: VariationID?) {
    visitors.read(unit) { ($0.assignments[id], $0.forced.isEmpty ? nil : $0.forced[id]) } ?? (
      nil, nil
    )
  }

  private mutating func apply(_ decision: Decision, _ event: Event) {
    guard decision.point == nil, decision.slot == nil, let reason = decision.reason,
      Self.isOurs(reason)
    else { return }
    let id = decision.experiment
    switch decision.status ?? .confirmed {
    case .confirmed:
      if reason == Reason.forced.rawValue {
        visitors.change(event.unit, orAdd: Visitor()) { $0.show(decision, at: event.time) }
      } else {
        visitors.change(event.unit, orAdd: Visitor()) {
          $0.assignments.set(id, to: decision.assignment(at: event.time))
          $0.visits.activity(at: event.time)
        }
        learning.change(id, orAdd: Learning()) { $0.decided(decision.variant) }
      }
    case .provisional:
      var assignment = decision.assignment(at: event.time)
      assignment.isProvisional = true
      assignment.exposed = nil
      visitors.change(event.unit, orAdd: Visitor()) { $0.assignments.set(id, to: assignment) }
    case .repeated:
      visitors.change(event.unit, orAdd: Visitor()) { $0.repeats(decision, at: event.time) }
    case .excluded:
      visitors.change(event.unit, orAdd: Visitor()) { $0.visits.activity(at: event.time) }
    case .accepted, .refused: break
    }
  }

  private mutating func apply(_ confirmed: DecisionConfirmed, _ event: Event) {
    guard confirmed.point == nil, confirmed.slot == nil else { return }
    let variation = visitors.change(event.unit) {
      $0.confirm(confirmed.experiment, at: event.time)
    }
    guard let variation = variation ?? nil else { return }
    learning.change(confirmed.experiment, orAdd: Learning()) { $0.decided(variation) }
  }

  private mutating func apply(_ conversion: Conversion, _ event: Event) {
    visitors.change(event.unit, orAdd: Visitor()) { $0.learn(event.payload) }
    guard !conversion.isReversal else { return }
    for (_, site) in sites {
      for id in site.learners[conversion.goal] ?? [] { credit(id, event) }
    }
  }

  /// Credits a conversion of an experiment's goal, once for each assignment.
  private mutating func credit(_ id: ExperimentID, _ event: Event) {
    guard let assignment = visitors.read(event.unit, { $0.assignments[id] }) ?? nil,
      !assignment.isConverted,
      let exposed = assignment.exposed, event.time >= exposed,
      event.time.microseconds(since: exposed) <= Self.windowMicroseconds
    else { return }
    visitors.change(event.unit) { $0.assignments.change(id) { $0.isConverted = true } }
    learning.change(id, orAdd: Learning()) { $0.converted(assignment.variation) }
  }

  private mutating func apply(_ datum: DataPoint, _ event: Event) {
    if datum.kind == Self.activityKind {
      visitors.change(event.unit, orAdd: Visitor()) { $0.visits.activity(at: event.time) }
    } else if VisitorKnowledge.kinds.contains(datum.kind) {
      visitors.change(event.unit, orAdd: Visitor()) { $0.learn(event.payload) }
    }
  }

  private mutating func apply(_ applied: ConfigurationApplied, _ event: Event) {
    guard applied.system == Self.system else { return }
    if overrides.apply(event, system: Self.system) {
      override(applied, event)
      return
    }
    guard let json = applied.configuration.flatMap({ try? JSONValue(parsing: $0.text) }) else {
      return
    }
    if let experiment = applied.experiment {
      guard applied.reason == Reason.reallocated.rawValue else { return }
      reallocate(experiment, json, at: event.time)
    } else if let site = try? Site(reading: json) {
      let code = TextKey(site.configuration.siteCode)
      sites.set(code, to: sites[code].map { site.inheriting(from: $0) } ?? site)
    }
  }

  private mutating func override(_ applied: ConfigurationApplied, _ event: Event) {
    guard let id = applied.experiment else { return }
    visitors.change(event.unit) { $0.forced[id] = nil }
    let json = applied.configuration.flatMap { try? JSONValue(parsing: $0.text) }
    let isTargeted = json?["forceTargeting"]?.boolean == false
    Self.mark(&targetedOverrides, id, event.unit, isTargeted)
    Self.mark(&simulatedOverrides, id, event.unit, json?["simulated"]?.boolean == true)
  }

  private static func mark(
    _ marks: inout [ExperimentID: [UnitID: Bool]], _ id: ExperimentID, _ unit: UnitID, _ isSo: Bool
  ) {
    if isSo {
      marks[id, default: [:]][unit] = true
    } else {
      marks[id]?[unit] = nil
      if marks[id]?.isEmpty == true { marks[id] = nil }
    }
  }

  private mutating func reallocate(_ id: ExperimentID, _ json: JSONValue, at time: Timestamp) {
    guard let code = json["siteCode"]?.string, let shares = json["deviations"]?.object else {
      return
    }
    var deviations: [VariationID: Double] = [:]
    for member in shares.members { deviations[VariationID(member.name)] = member.value.number }
    let move = Site.Reallocation(time: time, deviations: deviations)
    sites.change(TextKey(code)) { $0 = $0.reallocated([id: move]) }
    learning.change(id) { $0.news = 0 }
  }
}

extension ExperimentsState.Visitor {
  /// Records that a forced variation was shown; it is not saved.
  mutating func show(_ decision: Decision, at time: Timestamp) {
    forced[decision.experiment] = decision.variant
    visits.activity(at: time)
  }

  /// Records that an assignment was shown again.
  mutating func repeats(_ decision: Decision, at time: Timestamp) {
    visits.activity(at: time)
    guard decision.reason != Reason.forced.rawValue else { return }
    assignments.change(decision.experiment) { $0.exposed = time }
  }

  /// Confirms a provisional assignment, which counts from then on.
  ///
  /// - Returns: Its variation; nil when there is no provisional one.
  mutating func confirm(_ id: ExperimentID, at time: Timestamp) -> VariationID? {
    let confirmed: VariationID?? = assignments.change(id) { assignment in
      guard assignment.isProvisional else { return nil }
      assignment.isProvisional = false
      assignment.exposed = time
      return assignment.variation
    }
    guard let variation = confirmed ?? nil else { return nil }
    visits.activity(at: time)
    return variation
  }
}

extension Decision {
  /// Returns the assignment made by the decision. Not an initializer, to which the decision would be copied.
  fileprivate func assignment(at time: Timestamp) -> Assignment {
    var assignment = Assignment(
      variation: variant, time: time, exposed: time, propensity: propensity, policy: policy)
    guard let context else { return assignment }
    if case .text(let text)? = context[Assignment.ruleKey] { assignment.rule = text }
    if case .text(let text)? = context[Assignment.experimentKey] {
      assignment.experiment = ExperimentID(text)
    }
    return assignment
  }
}

extension Assignment {
  /// The keys in the context of a feature decision.
  static let ruleKey = "rule"
  static let experimentKey = "experiment"
}

extension ExperimentsState.Learning {
  fileprivate mutating func decided(_ variation: VariationID) {
    tallies.change(variation, orAdd: ArmTally()) { $0.decisions.increment() }
  }

  /// Counts a conversion as a reward of 1, whatever its revenue.
  fileprivate mutating func converted(_ variation: VariationID) {
    tallies.change(variation, orAdd: ArmTally()) { tally in
      tally.rewarded.increment()
      tally.sum += 1
      tally.squares += 1
    }
    news.increment()
  }
}
