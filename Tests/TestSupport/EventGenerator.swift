public import Events

/// Random events of every kind, with and without every field.
public struct EventGenerator {
  /// The source of randomness.
  public var random: SeededGenerator
  private var time: Int64 = 1_767_323_045_000_000

  /// Creates a generator of the same events for the same seed.
  public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a number of events.
  public mutating func events(_ count: Int) -> [Event] { (0..<count).map { _ in next() } }

  /// Returns the next event.
  public mutating func next() -> Event {
    time &+= Int64(random.index(2_000_000)) - (random.chance(0.1) ? 3_000_000 : 0)
    let kind = EventKind.allCases[random.chance(0.7) ? random.index(2) : random.index(8)]
    let unit = kind.isLifeCycle && random.chance(0.3) ? "" : "u-\(random.index(40))"
    return Event(
      time: Timestamp(microseconds: time), unit: UnitID(unit),
      id: random.chance(0.5) ? EventID("e\(random.index(100_000))") : nil,
      system: random.chance(0.3)
        ? [.agents, .experiments, "of a later version"][random.index(3)] : nil,
      instance: random.chance(0.2) ? InstanceID("i\(random.index(3))") : nil,
      payload: payload(kind),
      unknownFields: JSONMembers(validated: random.chance(0.05) ? "\"x\":[1,{\"y\":null}]" : ""))
  }

  private mutating func payload(_ kind: EventKind) -> Payload {
    switch kind {
    case .decision: .decision(decision())
    case .goal:
      .goal(
        Goal(
          experiment: experiment(), point: random.chance(0.2) ? "cart" : nil,
          slot: random.chance(0.2) ? SlotID("s\(random.index(3))") : nil,
          goal: GoalID("g\(random.index(3))"),
          value: random.chance(0.6) ? number() : nil,
          status: random.chance(0.2) ? [.accepted, .refused][random.index(2)] : nil,
          reason: random.chance(0.1) ? "late" : nil,
          metadata: random.chance(0.2) ? attributes() : nil))
    case .conversion:
      .conversion(
        Conversion(
          goal: GoalID("c\(random.index(3))"), revenue: random.chance(0.6) ? number() : nil,
          negative: random.chance(0.3) ? random.chance(0.5) : nil,
          metadata: random.chance(0.4) ? attributes() : nil))
    case .dataPoint:
      .dataPoint(
        DataPoint(
          kind: ["custom", "interest"][random.index(2)], key: random.chance(0.8) ? "k" : nil,
          value: random.chance(0.9) ? value() : nil))
    case .sessionExpired:
      .sessionExpired(
        SessionExpired(experiment: random.chance(0.5) ? experiment() : nil, reason: "requested"))
    case .assignmentRemoved:
      .assignmentRemoved(AssignmentRemoved(experiment: experiment(), reason: nil))
    case .decisionConfirmed:
      .decisionConfirmed(
        DecisionConfirmed(experiment: experiment(), point: random.chance(0.5) ? "cart" : nil))
    case .configurationApplied:
      .configurationApplied(
        ConfigurationApplied(
          system: "agents", experiment: experiment(),
          changed: random.chance(0.5) ? ["state", "weights"] : nil,
          configuration: random.chance(0.5) ? JSONText(validated: "{\"a\":[1,2]}") : nil))
    }
  }

  private mutating func experiment() -> ExperimentID { ExperimentID("exp\(random.index(4))") }

  private mutating func decision() -> Decision {
    let choices = (0..<1 + random.index(4)).map { VariantID("v\($0)") }
    return Decision(
      experiment: experiment(), point: random.chance(0.3) ? "cart" : nil,
      slot: random.chance(0.3) ? SlotID("s\(random.index(3))") : nil,
      variant: choices[random.index(choices.count)],
      choices: random.chance(0.8) ? choices : nil,
      propensity: random.chance(0.8) ? 1 / Double(choices.count) : nil,
      probabilities: random.chance(0.4)
        ? choices.map { _ in Double.random(in: 0...1, using: &random) } : nil,
      policy: random.chance(0.5) ? "uniform" : nil, reason: random.chance(0.5) ? "random" : nil,
      status: random.chance(0.3)
        ? [.confirmed, .provisional, .repeated, .excluded][random.index(4)] : nil,
      context: random.chance(0.5) ? attributes() : nil,
      features: random.chance(0.2) ? features(choices) : nil)
  }

  private mutating func features(_ choices: [VariantID]) -> Features {
    var features = Features()
    for choice in choices { features[choice] = attributes() }
    return features
  }

  private mutating func attributes() -> Attributes {
    var attributes = Attributes()
    for name in ["country", "age", "vip", "long", "ä\"\\"] where random.chance(0.5) {
      attributes[name] = value()
    }
    return attributes
  }

  private mutating func value() -> AttributeValue {
    switch random.index(5) {
    case 0: .number(number())
    case 1: .integer(Int64.max - Int64(random.index(1_000)))
    case 2: .flag(random.chance(0.5))
    case 3: .text(String(repeating: "long ", count: 5 + random.index(30)))
    default: .text("t\(random.index(20))")
    }
  }

  private mutating func number() -> Double {
    switch random.index(4) {
    case 0: Double(random.index(100))
    case 1: Double(random.index(100_000)) / 100
    case 2: -0.0
    default: Double.random(in: -1e6...1e6, using: &random)
    }
  }
}
