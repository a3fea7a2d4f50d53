internal import Bandits
internal import DecidingCore
internal import Events

extension AgentsState {
  /// Reasons of decisions by other systems, whose events can be in the same log.
  private static let foreignReasons: Set<String> = Set(
    [
      Reason.hash, .savedNumber, .reallocated, .delivered, .predicted, .unknownExperiment,
      .noConfiguration, .conditions, .language, .country, .noDrawableVariant, .notTargeted,
      .notAllocated, .disabled, .noConsent, .default,
    ].map(\.rawValue))

  /// Returns whether a decision with this reason implies that the session was admitted: it was drawn.
  private static func wasLetIn(_ reason: String?) -> Bool {
    switch reason {
    case Reason.random.rawValue, Reason.adaptive.rawValue, Reason.control.rawValue: true
    default: false
    }
  }

  mutating func apply(_ decision: Decision, _ event: Event) {
    if let reason = decision.reason, reason != "random", Self.foreignReasons.contains(reason) {
      return
    }
    switch decision.status {
    case .repeated:
      agents.change(decision.experiment) { $0.sessions.change(event.unit) { $0.touch(event.time) } }
    case .excluded: exclude(decision, event)
    case .provisional: hold(decision, event, isCounted: false)
    default: hold(decision, event, isCounted: true)
    }
  }

  private mutating func exclude(_ decision: Decision, _ event: Event) {
    let exclusion = AgentSession.Exclusion(
      point: decision.point ?? .standard, slot: decision.slot ?? .standard,
      reason: decision.reason ?? "")
    modify(decision.experiment) { memory in
      memory.known.modify(exclusion.point, exclusion.slot) { $0.remember(decision.choices) }
      memory.modify(event.unit, event.time) { session in
        if !session.exclusions.contains(exclusion) { session.exclusions.append(exclusion) }
        if decision.reason == Reason.notEligible.rawValue { session.eligibility = .out }
      }
    }
  }

  private mutating func hold(_ decision: Decision, _ event: Event, isCounted: Bool) {
    let (point, slot) = (decision.point ?? .standard, decision.slot ?? .standard)
    modify(decision.experiment) { memory in
      var choice = HeldChoice.Choice(decision)
      choice.epoch = memory.known.epoch
      if memory.known.plan?.definition.learnsBy == .segment,
        case .text(let segment)? = decision.context?["segment"]
      {
        choice.segment = TextKey(segment)
      }
      let policy = memory.known.plan?.orderedPolicy
      memory.known.modify(point, slot) { memory in
        memory.remember(decision.choices)
        if isCounted { memory.count(&choice, policy) }
      }
      memory.modify(event.unit, event.time) { session in
        session.hasExpired = false
        if Self.wasLetIn(decision.reason) { session.eligibility = .in }
        session.hold(choice, point: point, slot: slot, isCounted: isCounted)
      }
    }
  }

  mutating func apply(_ confirmed: DecisionConfirmed, _ event: Event) {
    let point = confirmed.point ?? .standard
    guard let session = agents[confirmed.experiment]?.sessions[event.unit] else { return }
    for (index, entry) in session.held.enumerated() {
      guard entry.point == point, confirmed.slot == nil || confirmed.slot == entry.slot,
        var choice = entry.provisional
      else { continue }
      modify(confirmed.experiment) { memory in
        choice.epoch = memory.known.epoch
        choice.isPrefetched = nil
        let policy = memory.known.plan?.orderedPolicy
        memory.known.modify(point, entry.slot) { $0.count(&choice, policy) }
        memory.modify(event.unit, event.time) { session in
          session.held[index].provisional = nil
          session.held[index].confirmed = choice
          session.latest = index
        }
      }
    }
  }

  /// Modifies the state of an agent in place.
  @inline(__always)
  private mutating func modify(_ agent: ExperimentID, _ body: (inout AgentMemory) -> Void) {
    agents.change(agent, orAdd: AgentMemory(), body)
  }
}

extension AgentMemory {
  /// Modifies a session in place, and updates the time of its latest activity.
  @inline(__always)
  fileprivate mutating func modify(
    _ unit: UnitID, _ time: Timestamp, _ body: (inout AgentSession) -> Void
  ) {
    sessions.change(unit, orAdd: AgentSession(last: time)) { session in
      body(&session)
      session.touch(time)
    }
  }
}

extension AgentKnowledge {
  /// Modifies the state of a slot in place.
  @inline(__always)
  fileprivate mutating func modify(
    _ point: PointID, _ slot: SlotID, _ body: (inout SlotMemory) -> Void
  ) {
    points.change(point, orAdd: PointMemory()) { body(&$0.slots[$0.index(slot: slot)]) }
  }
}

extension SlotMemory {
  fileprivate mutating func remember(_ choices: [VariantID]?) {
    if let choices, self.choices != choices { self.choices = choices }
  }

  /// Counts a decision, unless an override made it; and numbers it for a policy that learns from decisions in
  /// order, if it was drawn.
  fileprivate mutating func count(_ choice: inout HeldChoice.Choice, _ policy: AgentPolicy?) {
    guard !choice.isForced else { return }
    tallies.change(choice.segment, orAdd: OrderedMap()) { tallies in
      tallies.change(choice.variant, orAdd: ArmTally()) { $0.decisions.increment() }
    }
    guard let policy, choice.policy != nil else { return }
    if histories == nil { histories = OrderedMap() }
    let entry = LearningHistory.Entry(variant: choice.variant, propensity: choice.propensity)
    let choices = choices
    choice.number = histories?.change(choice.segment, orAdd: LearningHistory()) {
      $0.append(entry, policy, choices)
    }
  }
}

extension AgentSession {
  /// Records activity in the session.
  mutating func touch(_ time: Timestamp) {
    if time > last { last = time }
  }

  fileprivate mutating func hold(
    _ choice: HeldChoice.Choice, point: PointID, slot: SlotID, isCounted: Bool
  ) {
    var entry = index(point: point, slot: slot)
    if entry == nil {
      held.append(HeldChoice(point: point, slot: slot))
      entry = held.count - 1
    }
    guard let index = entry else { return }
    if isCounted {
      held[index].confirmed = choice
      held[index].provisional = nil
      latest = index
    } else {
      held[index].provisional = choice
    }
  }
}

extension HeldChoice.Choice {
  fileprivate init(_ decision: Decision) {
    // A log from elsewhere can contain any number.
    let propensity = decision.propensity.flatMap { $0 > 0 && $0 <= 1 ? $0 : nil }
    self.init(
      variant: decision.variant, propensity: propensity, policy: decision.policy,
      isForced: decision.reason == Reason.forced.rawValue, segment: "")
    if decision.status == .provisional,
      decision.context?[AgentFacts.prefetchName] == .flag(true)
    {
      isPrefetched = true
    }
  }
}
