internal import Events

extension AgentsState {
  /// Reasons of decisions that other systems make, whose events may stand in the same log.
  private static func isForeign(_ reason: String?) -> Bool {
    guard let reason else { return false }
    switch Reason(rawValue: reason) {
    case .hash, .savedNumber, .reallocated, .delivered, .predicted, .unknownExperiment,
      .noConfiguration, .conditions, .language, .country, .noDrawableVariant, .notTargeted,
      .notAllocated, .disabled, .noConsent, .default:
      return true
    default: return false
    }
  }

  /// Whether a decision with the reason says that its session was let in: one that was drawn.
  private static func wasLetIn(_ reason: String?) -> Bool {
    switch reason {
    case Reason.random.rawValue, Reason.adaptive.rawValue, Reason.control.rawValue: true
    default: false
    }
  }

  mutating func apply(_ decision: Decision, _ event: Event) {
    guard !Self.isForeign(decision.reason) else { return }
    switch decision.status {
    case .repeated: agents[decision.experiment]?.sessions[event.unit]?.touch(event.time)
    case .excluded: exclude(decision, event)
    case .provisional: hold(decision, event, isCounted: false)
    default: hold(decision, event, isCounted: true)
    }
  }

  private mutating func exclude(_ decision: Decision, _ event: Event) {
    let exclusion = AgentSession.Exclusion(
      point: decision.point ?? .standard, slot: decision.slot ?? .standard,
      reason: decision.reason ?? "")
    modifySession(decision.experiment, event) { session in
      if !session.exclusions.contains(exclusion) { session.exclusions.append(exclusion) }
      if decision.reason == Reason.notEligible.rawValue { session.eligibility = .out }
    }
    if let choices = decision.choices {
      modifyKnowledge(decision.experiment) {
        $0.remember(choices, point: exclusion.point, slot: exclusion.slot)
      }
    }
  }

  private mutating func hold(_ decision: Decision, _ event: Event, isCounted: Bool) {
    let (point, slot) = (decision.point ?? .standard, decision.slot ?? .standard)
    var choice = HeldChoice.Choice(decision)
    modifyKnowledge(decision.experiment) { known in
      if known.plan?.definition.learnsBy == .segment,
        case .text(let segment)? = decision.context?["segment"]
      {
        choice.segment = segment
      }
      choice.epoch = known.epoch
      if let choices = decision.choices { known.remember(choices, point: point, slot: slot) }
      if isCounted, !choice.isForced { known.count(choice, point: point, slot: slot) }
    }
    modifySession(decision.experiment, event) { session in
      session.hasExpired = false
      if Self.wasLetIn(decision.reason) { session.eligibility = .in }
      session.hold(choice, point: point, slot: slot, isCounted: isCounted)
    }
  }

  mutating func apply(_ confirmed: DecisionConfirmed, _ event: Event) {
    let point = confirmed.point ?? .standard
    guard let session = agents[confirmed.experiment]?.sessions[event.unit] else { return }
    for (index, entry) in session.held.enumerated() {
      guard entry.point == point, confirmed.slot == nil || confirmed.slot == entry.slot,
        var choice = entry.provisional
      else { continue }
      modifyKnowledge(confirmed.experiment) { known in
        choice.epoch = known.epoch
        if !choice.isForced { known.count(choice, point: point, slot: entry.slot) }
      }
      modifySession(confirmed.experiment, event) { session in
        session.held[index].provisional = nil
        session.held[index].confirmed = choice
        session.latest = index
      }
    }
  }

  /// Changes what is known of an agent in its place.
  private mutating func modifyKnowledge(
    _ agent: ExperimentID, _ body: (inout AgentKnowledge) -> Void
  ) {
    body(&agents[agent, default: AgentMemory()].known)
  }

  /// Changes a session in its place, and says that something happened in it.
  private mutating func modifySession(
    _ agent: ExperimentID, _ event: Event, _ body: (inout AgentSession) -> Void
  ) {
    func change(_ session: inout AgentSession) {
      body(&session)
      session.touch(event.time)
    }
    change(
      &agents[agent, default: AgentMemory()].sessions[
        event.unit, default: AgentSession(last: event.time)])
  }
}

extension AgentKnowledge {
  fileprivate mutating func remember(_ choices: [VariantID], point: PointID, slot: SlotID) {
    let index = points[point, default: PointMemory()].index(slot: slot)
    if points[point]?.slots[index].choices != choices {
      points[point]?.slots[index].choices = choices
    }
  }
}

extension AgentSession {
  /// Something happened in the session.
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
    // A log from elsewhere may hold any number.
    let propensity = decision.propensity.flatMap { $0 > 0 && $0 <= 1 ? $0 : nil }
    self.init(
      variant: decision.variant, propensity: propensity, policy: decision.policy,
      isForced: decision.reason == Reason.forced.rawValue, segment: "")
  }
}
