internal import Bandits
internal import DecidingCore
internal import Events
internal import Specifications
internal import Statistics

/// Makes one decision: determines the answer and the events to record, without changing the state.
///
/// It retains a part of the session's state, so it must be released before the events are applied; otherwise
/// that state would be copied.
struct DecisionMaker: ~Copyable {
  /// The service, for its settings.
  private let agents: Agents
  private let question: AgentQuestion
  private let unit: UnitID
  private let stamp: EventStamp
  /// The state of the point, where needed: for slots without choices, and for what was learned.
  private let recorded: PointMemory?
  /// Whether the agent is stopped or paused, and what it shows.
  private let suspension: Suspension?
  private let override: VariantID?
  /// Whether this is a preview, in which nothing is drawn or recorded.
  private let isPreview: Bool

  private let plan: AgentPlan
  private var facts: AgentFacts
  private var context: Attributes?
  /// The state of the session; nil when there is none, or when it has timed out.
  private var session: AgentSession?
  private var hasTimedOut = false
  /// The reason why the session is excluded from everything except overrides.
  private var refusal: Reason?
  private var eligibility: AgentSession.Eligibility?

  private var events: [Event] = []
  private var warnings: [String]
  /// The number of inputs, and of attributes of choices, that are not recorded.
  private var leftOut = 0
  private var isConfirming = false
  private var isNewSession = false

  /// The answer and the events to record.
  struct Outcome {
    var reply: DecisionReply
    var events: [Event] = []
    /// The number of inputs that the events do not record.
    var leftOut = 0
  }

  /// Why an agent shows the same choice to everyone, and which.
  private struct Suspension {
    var reason: Reason
    var pause: AgentPause?
  }

  /// The parts of an agent's state that a decision needs.
  private struct View {
    var plan: AgentPlan?
    var recorded: PointMemory?
    var suspension: Suspension?
    var session: AgentSession?

    init(_ memory: borrowing AgentMemory, _ question: AgentQuestion, _ unit: UnitID) {
      plan = memory.known.plan
      if !question.isComplete || plan?.policy != nil {
        recorded = memory.known.points[question.point]
      }
      if memory.known.activity.isStopped {
        suspension = Suspension(reason: .stopped)
      } else if let pause = memory.known.activity.pause(for: unit) {
        suspension = Suspension(reason: .paused, pause: pause)
      }
      session = memory.sessions[unit]
    }
  }

  init(
    _ question: AgentQuestion, unit: UnitID, stamp: EventStamp, state: borrowing AgentsState,
    for agents: Agents, isPreview: Bool = false
  ) throws(AgentError) {
    self.agents = agents
    self.question = question
    self.unit = unit
    self.stamp = stamp
    self.isPreview = isPreview
    let view = state.agents.read(question.agent) { View($0, question, unit) }
    guard view != nil || agents.settings.createsUnknown else {
      throw .unknownAgent(question.request.agent)
    }
    override = state.overrides.variant(for: unit, in: question.agent)
    plan = view?.plan ?? .standard
    recorded = view?.recorded
    suspension = view?.suspension
    session = view?.session
    facts = AgentFacts(question, session: unit)
    warnings = question.warnings
  }

  /// Returns the outcome, checking in this order: stopped, paused, tracking opt-out, then slot by slot.
  consuming func outcome(using random: inout some RandomNumberGenerator) -> Outcome {
    let slots = self.slots
    if let decisions = unrecorded(slots) { return Outcome(reply: reply(decisions)) }
    prepare()
    var decisions: [AgentDecision] = []
    decisions.reserveCapacity(slots.count)
    for slot in slots { decisions.append(decide(slot, using: &random)) }
    leaveOut(featuresOfNoChoice(slots))
    if leftOut > Self.inputWarningLimit {
      warnings.append("\(leftOut - Self.inputWarningLimit) more inputs were not recorded")
    }
    warnAboutOverride(slots)
    let reply = reply(decisions)
    let earlier = earlierPayloads
    let all = earlier.isEmpty ? events : earlier.map { stamp.event(unit, $0) } + events
    return Outcome(reply: reply, events: all, leftOut: events.isEmpty ? 0 : leftOut)
  }

  private func reply(_ decisions: [AgentDecision]) -> DecisionReply {
    DecisionReply(
      agent: question.request.agent, session: unit.rawValue, point: question.point.rawValue,
      decisions: decisions, segment: facts.segment, features: facts.features,
      traits: question.request.traits.map { "cust/\($0.key):\($0.value)" },
      // They may quote any part of the request.
      warnings: warnings.map(MessageText.shortened), isNewSession: isNewSession)
  }

  // MARK: Slots

  /// The slots with their choices: from the request, else last recorded, else defined, else `a` and `b`.
  private var slots: [AgentQuestion.Slot] {
    if question.isComplete { return question.slots }
    guard question.slots.isEmpty else {
      return question.slots.map { slot in
        guard slot.choices.isEmpty else { return slot }
        let choices = recorded?.memory(of: slot.slot)?.choices ?? []
        return .init(slot: slot.slot, choices: choices.isEmpty ? defined(slot.slot) : choices)
      }
    }
    let earlier = (recorded?.slots ?? []).filter { !$0.choices.isEmpty }
    if !earlier.isEmpty { return earlier.map { .init(slot: $0.slot, choices: $0.choices) } }
    let planned = plan.slots(point: question.point.rawValue)
    guard planned.isEmpty else {
      return planned.map {
        .init(slot: SlotID($0.code), choices: $0.choices.map { VariantID($0.code) })
      }
    }
    return [.init(slot: .standard, choices: Self.standardChoices)]
  }

  private func defined(_ slot: SlotID) -> [VariantID] {
    let slot = plan.slots(point: question.point.rawValue).first { $0.code == slot.rawValue }
    return slot?.choices.map { VariantID($0.code) } ?? Self.standardChoices
  }

  private static let standardChoices: [VariantID] = ["a", "b"]

  /// Returns an answer that is not recorded; nil when the agent decides.
  private func unrecorded(_ slots: [AgentQuestion.Slot]) -> [AgentDecision]? {
    let visitor = question.request.visitor
    let reason: Reason
    var pause: AgentPause?
    if let suspension {
      (reason, pause) = (suspension.reason, suspension.pause)
    } else if visitor.doNotTrack {
      reason = .doNotTrack
    } else if visitor.isBot {
      reason = .bot
    } else {
      return nil
    }
    return slots.map { slot in
      let choices = slot.codes
      let code = pause?.code(slot: slot.slot.rawValue, choices: choices) ?? choices.first ?? ""
      return decision(
        slot, VariantID(code), reason, .excluded, propensity: nil, probabilities: nil, policy: nil)
    }
  }

  /// Determines what applies to all slots: whether the session is live, whether it is excluded, and the
  /// effects of rules.
  private mutating func prepare() {
    refusal = agents.settings.restrictions.refusal(of: unit, in: question.agent, at: stamp.now)
    if refusal == nil, plan.definition.schedule?.contains(stamp.now) == false {
      refusal = .outsideSchedule
    }
    let timeout = plan.definition.timeout ?? agents.settings.timeout
    if session?.isTimedOut(at: stamp.now, after: timeout) == true {
      hasTimedOut = true
      session = nil
    }
    eligibility = session?.eligibility
    if !agents.settings.rules.isEmpty {
      facts.apply(agents.settings.rules, for: question.request.agent)
    }
    if !plan.rules.isEmpty { facts.apply(plan.rules, for: question.request.agent) }
    record(facts)
  }

  /// The maximum number of warnings about inputs that are not recorded.
  private static let inputWarningLimit = 3

  /// Determines the context that the decisions record.
  private mutating func record(_ facts: AgentFacts) {
    let recorded = RecordedAttributes(
      facts, plan.definition.recordInputs ?? agents.settings.recordInputs, plan.served)
    context = recorded.attributes.entries.isEmpty ? nil : recorded.attributes
    leaveOut(recorded.leftOut)
  }

  /// Counts what is not recorded, and warns about the first.
  private mutating func leaveOut(_ reasons: [String]) {
    warnings += reasons.prefix(max(0, Self.inputWarningLimit - leftOut))
    leftOut += reasons.count
  }

  /// Returns which attributes of choices belong to none of the slots' choices, and are therefore not recorded.
  private func featuresOfNoChoice(_ slots: [AgentQuestion.Slot]) -> [String] {
    let request = question.request
    return request.choiceFeatures.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .filter { code in !slots.contains { $0.choices.contains(VariantID(code)) } }
      .flatMap { code in
        RecordedAttributes.leftOut(
          of: code, given: FlatInputs(request.choiceFeatures[code] ?? [:]))
      }
  }

  private mutating func warnAboutOverride(_ slots: [AgentQuestion.Slot]) {
    guard let override, !slots.contains(where: { $0.choices.contains(override) }) else { return }
    warnings.append(
      "the override to \"\(override)\" was ignored: no slot has that choice; force another one")
  }

  // MARK: One slot

  private mutating func decide(
    _ slot: AgentQuestion.Slot, using random: inout some RandomNumberGenerator
  ) -> AgentDecision {
    let index = session?.index(point: question.point, slot: slot.slot)
    let entry = index.flatMap { session?.held[$0] }
    if let override, slot.choices.contains(override) {
      return settle(slot, override, .forced, entry)
    }
    if let refusal { return exclude(slot, refusal, propensity: 1) }
    let permitted = permitted(slot)
    if let fixed = fixed(slot, permitted) { return settle(slot, fixed, .fixed, entry) }
    if let entry, let kept = entry.kept, !kept.isForced,
      entry.provisional != nil || plan.definition.isSticky,
      let index = slot.choices.firstIndex(of: kept.variant), permitted?[index] ?? true
    {
      return keep(slot, entry, kept, .sticky)
    }
    let hasAny = permitted?.contains(true) ?? true
    if hasAny || eligibility == .out, !isEligible(using: &random) {
      return exclude(slot, .notEligible, propensity: 1 - plan.eligibleShare)
    }
    let options = plan.options(point: question.point.rawValue, slot: slot.slot.rawValue)
    guard hasAny else { return exclude(slot, .noPermittedChoice, propensity: 1) }
    let features = features(slot)
    guard
      let shares = AgentShares(
        slot.choices, options: options, permitted: permitted, plan: plan,
        learned: { allocation(slot, features.features, $0) })
    else { return exclude(slot, .noPermittedChoice, propensity: 1) }
    return draw(slot, shares, features, using: &random)
  }

  /// Returns which choices are permitted; nil when all are.
  private func permitted(_ slot: AgentQuestion.Slot) -> [Bool]? {
    let request = question.request
    let rules = facts.permissions.filter { rule in
      rule.slot.map { $0.hasSameBytes(as: slot.slot.rawValue) } ?? true
    }
    guard request.allowed != nil || !request.excluding.isEmpty || !rules.isEmpty else { return nil }
    return slot.choices.map { choice in
      let code = choice.rawValue
      return request.allowed?.contains(code) ?? true && !request.excluding.contains(code)
        && rules.allSatisfy { $0.codes.contains { $0.hasSameBytes(as: code) } }
    }
  }

  /// Returns the choice fixed by the first rule that matches the slot. A choice that the slot lacks or that
  /// is not permitted cannot be fixed.
  private mutating func fixed(_ slot: AgentQuestion.Slot, _ permitted: [Bool]?) -> VariantID? {
    for fixing in facts.fixings {
      guard fixing.slot.map({ $0.hasSameBytes(as: slot.slot.rawValue) }) ?? true else { continue }
      let choice = VariantID(fixing.code)
      if let index = slot.choices.firstIndex(of: choice), permitted?[index] ?? true {
        return choice
      }
      guard fixing.slot != nil else { continue }
      warnings.append(
        "rule \"\(fixing.rule)\" was ignored: slot \"\(slot.slot)\" has no permitted choice "
          + "\"\(fixing.code)\"")
    }
    return nil
  }

  private mutating func isEligible(using random: inout some RandomNumberGenerator) -> Bool {
    if eligibility == nil {
      let share = plan.eligibleShare
      let isIn = share >= 1 || isPreview || AgentShares.isHit(share, using: &random)
      eligibility = isIn ? .in : .out
    }
    return eligibility == .in
  }

  /// Returns the allocation of a policy for the choices at the given indices, from what was learned.
  private func allocation(
    _ slot: AgentQuestion.Slot, _ features: Features?, _ places: [Int]
  ) -> Allocation {
    if let served = plan.served {
      return AgentFacts.allocation(served, context, features, slot, places)
    }
    guard let policy = plan.policy else { return Allocation(probabilities: []) }
    let segment = plan.definition.learnsBy == .segment ? TextKey(facts.segment ?? "") : ""
    let memory = recorded?.memory(of: slot.slot)
    if let policy = policy.allocationPolicy {
      let tallies = memory?.tallies[segment]
      return policy.allocation(over: places.map { tallies?[slot.choices[$0]] ?? ArmTally() })
    }
    let history = memory?.histories?[segment] ?? LearningHistory()
    var allocation = history.allocation(policy, slot.choices)
    allocation.probabilities = places.map { allocation.probabilities[$0] }
    return allocation
  }

  /// Returns the attributes of the choices, and what is left out of them.
  private func features(_ slot: AgentQuestion.Slot) -> ChoiceFeatures {
    AgentFacts.features(
      slot, of: question.request, for: plan.served,
      plan.options(point: question.point.rawValue, slot: slot.slot.rawValue))
  }

  private mutating func draw(
    _ slot: AgentQuestion.Slot, _ shares: AgentShares, _ features: ChoiceFeatures,
    using random: inout some RandomNumberGenerator
  ) -> AgentDecision {
    let weights = shares.isUniform ? Self.uniform : Self.weighted
    if let refusal = shares.refusal {
      warnings.append("policy \"\(plan.policyID?.rawValue ?? "")\": \(refusal)")
    }
    if isPreview {
      let likeliest = shares.total.max() ?? 1
      let index = shares.total.firstIndex(of: likeliest) ?? 0
      return decision(
        slot, slot.choices[index], shares.learned == nil ? .random : .adaptive, status,
        propensity: likeliest >= 1 ? likeliest : nil, probabilities: shares.total,
        policy: shares.learned == nil ? weights : plan.policyID)
    }
    let (index, reason) = shares.draw(using: &random)
    return choose(
      slot, index, reason, features, propensity: shares.total[index], probabilities: shares.total,
      policy: reason == .adaptive ? plan.policyID : weights)
  }

  private static let uniform: PolicyID = "uniform"
  private static let weighted: PolicyID = "weights"

  private var status: EventStatus {
    question.request.status == .provisional ? .provisional : .confirmed
  }

  // MARK: Outcomes

  /// Adds an event to record; does nothing in a preview.
  private mutating func record(_ payload: Payload) {
    if !isPreview { events.append(stamp.event(unit, payload)) }
  }

  /// Assigns a choice without drawing, unless it is already the sticky one.
  private mutating func settle(
    _ slot: AgentQuestion.Slot, _ variant: VariantID, _ reason: Reason, _ entry: HeldChoice?
  ) -> AgentDecision {
    let isForced = reason == .forced
    if let entry, let kept = entry.kept, kept.variant == variant, kept.isForced == isForced,
      isForced || entry.provisional != nil || plan.definition.isSticky
    {
      return keep(slot, entry, kept, isForced ? .forced : .sticky)
    }
    let index = slot.choices.firstIndex(of: variant) ?? 0
    var probabilities = [Double](repeating: 0, count: slot.choices.count)
    if probabilities.indices.contains(index) { probabilities[index] = 1 }
    return choose(
      slot, index, reason, features(slot), propensity: 1, probabilities: probabilities, policy: nil)
  }

  /// Answers with the sticky choice: confirms it if necessary, and records a repeated exposure once per
  /// visit.
  private mutating func keep(
    _ slot: AgentQuestion.Slot, _ entry: HeldChoice, _ kept: HeldChoice.Choice, _ reason: Reason
  ) -> AgentDecision {
    var status = EventStatus.confirmed
    let visit = plan.definition.visitLength ?? agents.settings.visitLength
    if entry.provisional != nil {
      if question.request.status == .provisional {
        status = .provisional
      } else {
        isConfirming = true
        record(
          .decisionConfirmed(
            DecisionConfirmed(experiment: question.agent, point: question.point, slot: slot.slot)))
      }
    } else if let last = session?.last, stamp.now.isOld(last, seconds: visit) {
      record(
        .decision(
          Decision(
            experiment: question.agent, point: question.point, slot: slot.slot,
            variant: kept.variant, choices: slot.choices, propensity: kept.propensity,
            policy: kept.policy, reason: reason.rawValue, status: .repeated, context: context)))
    }
    return decision(
      slot, kept.variant, reason, status, propensity: kept.propensity, probabilities: nil,
      policy: kept.policy)
  }

  /// Draws a new choice.
  private mutating func choose(
    _ slot: AgentQuestion.Slot, _ index: Int, _ reason: Reason, _ recorded: ChoiceFeatures,
    propensity: Double, probabilities: [Double], policy: PolicyID?
  ) -> AgentDecision {
    if status == .confirmed { isConfirming = true }
    if session?.held.isEmpty ?? true { isNewSession = true }
    let variant = slot.choices[index]
    leaveOut(recorded.leftOut)
    record(
      .decision(
        Decision(
          experiment: question.agent, point: question.point, slot: slot.slot, variant: variant,
          choices: slot.choices, propensity: propensity, probabilities: probabilities,
          policy: policy, reason: reason.rawValue, status: status, context: context,
          features: recorded.features)))
    return decision(
      slot, variant, reason, status, propensity: propensity, probabilities: probabilities,
      policy: policy)
  }

  /// Answers with the default, and records the exclusion once.
  private mutating func exclude(_ slot: AgentQuestion.Slot, _ reason: Reason, propensity: Double)
    -> AgentDecision
  {
    let variant = slot.choices.first ?? ""
    let propensity = propensity > 0 ? propensity : nil
    let exclusion = AgentSession.Exclusion(
      point: question.point, slot: slot.slot, reason: reason.rawValue)
    if session?.exclusions.contains(exclusion) != true {
      record(
        .decision(
          Decision(
            experiment: question.agent, point: question.point, slot: slot.slot, variant: variant,
            choices: slot.choices, propensity: propensity, reason: reason.rawValue,
            status: .excluded, context: context)))
    }
    return decision(
      slot, variant, reason, .excluded, propensity: propensity, probabilities: nil, policy: nil)
  }

  private func decision(
    _ slot: AgentQuestion.Slot, _ variant: VariantID, _ reason: Reason, _ status: EventStatus,
    propensity: Double?, probabilities: [Double]?, policy: PolicyID?
  ) -> AgentDecision {
    let option = plan.options(point: question.point.rawValue, slot: slot.slot.rawValue)?[
      variant.rawValue]
    return AgentDecision(
      slot: slot.slot.rawValue, code: variant.rawValue, choices: slot.codes,
      reason: reason, status: status, propensity: propensity, probabilities: probabilities,
      policyName: policy?.rawValue, name: option?.name, meta: option?.meta ?? [:])
  }

  /// The events before the decisions: the expiry of a session, and the goals that the decision reaches
  /// automatically, which reward earlier decisions.
  private var earlierPayloads: [Payload] {
    if hasTimedOut, !events.isEmpty {
      return [
        .sessionExpired(SessionExpired(experiment: question.agent, reason: Reason.timeout.rawValue))
      ]
    }
    guard isConfirming, let session else { return [] }
    return plan.goals(reachedAt: question.point.rawValue).compactMap { goal in
      guard session.refusal(of: goal.default, for: goal) == nil else { return nil }
      return .goal(
        Goal(
          experiment: question.agent, goal: GoalID(goal.code), value: goal.default,
          status: .accepted))
    }
  }
}
