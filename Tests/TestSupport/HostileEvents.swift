public import Events

/// Random events as a careless or a hostile host might make them: numbers that are not finite, JSON that is none or
/// too deep, names that look the same, control characters, texts of all lengths.
public enum HostileEvents {
  private static let names = [
    "a", "b", "", "é", "e\u{301}", "\0", "\u{1}\n\"\\", "\u{2028}", "unit", "K", "\u{212A}", "😀",
    String(repeating: "n", count: 300),
  ]
  private static let numbers: [Double] = [
    0, -0.0, 1, 0.1, 1e308, -1e308, .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
    9_007_199_254_740_992, 1e15, 2,
  ]
  private static let texts = [
    "null", "{}", "[1]", #"{"a":{"b":[1,2.5,"x"]}}"#, "1", #""é""#, " {\"a\" :\n1}\t", "", "{",
    "[1,]",
    #"{"a":inf}"#, #"{"a":nan}"#, "{'a':1}", "1 2", "\"\u{1}\"", nest(63), nest(64), nest(65),
    nest(5_000),
  ]
  private static let members = [
    "", "", "", #""x":1"#, #""x":1,"y":[{}]"#, " \"x\" : 1 ", #""x":1,"#, "x", #""unit":"v""#,
    #""type":1"#,
    #""x":nan"#, #""x":"# + nest(64), #""x":"# + nest(65),
  ]

  private static func nest(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  /// A random event of any kind, hostile more often than not.
  public static func event(using generator: inout SeededGenerator) -> Event {
    var g = generator
    defer { generator = g }
    // Most parts are harmless, so that one hostile part is not hidden behind another.
    let isMild = g.chance(0.5)
    func number() -> Double { isMild ? Double(g.index(9)) / 4 : g.pick(numbers, or: 0) }
    func name() -> String { isMild ? "n\(g.index(3))" : g.pick(names, or: "a") }
    func some<Value>(_ value: Value) -> Value? { g.chance(0.6) ? value : nil }
    func attributes() -> Attributes {
      var attributes = Attributes()
      for _ in 0..<g.index(4) {
        let values: [AttributeValue] = [
          .number(number()), .text(name()), .flag(g.chance(0.5)), .integer(.max), .integer(3),
        ]
        attributes[name()] = g.pick(values, or: .flag(true))
      }
      return attributes
    }
    let payload: Payload
    switch g.index(8) {
    case 0, 1:
      let choices = (0..<g.index(4)).map { _ in VariantID(name()) }
      var features = Features()
      for _ in 0..<g.index(3) { features[VariantID(name())] = attributes() }
      payload = .decision(
        Decision(
          experiment: ExperimentID(name()), point: some(PointID(name())),
          slot: some(SlotID(name())),
          variant: VariantID(name()), choices: some(choices), propensity: some(number()),
          probabilities: some(choices.map { _ in number() }), policy: some(PolicyID(name())),
          reason: some(name()),
          status: some(g.pick([.confirmed, .repeated, .accepted], or: .confirmed)),
          context: some(attributes()), features: some(features)))
    case 2:
      payload = .goal(
        Goal(
          experiment: ExperimentID(name()), point: some(PointID(name())),
          slot: some(SlotID(name())),
          goal: GoalID(name()), value: some(number()),
          status: some(g.pick([.accepted, .refused, .repeated], or: .accepted)),
          reason: some(name()),
          metadata: some(attributes())))
    case 3:
      payload = .conversion(
        Conversion(
          goal: GoalID(name()), revenue: some(number()), negative: some(g.chance(0.5)),
          metadata: some(attributes())))
    case 4:
      payload = .dataPoint(
        DataPoint(kind: name(), key: some(name()), value: some(.number(number()))))
    case 5: payload = .sessionExpired(SessionExpired(experiment: some("e"), reason: some(name())))
    case 6: payload = .decisionConfirmed(DecisionConfirmed(experiment: ExperimentID(name())))
    default:
      payload = .configurationApplied(
        ConfigurationApplied(
          system: SystemID(name()), experiment: some("e"), changed: some([name(), name()]),
          configuration: some(JSONText(validated: g.pick(texts, or: "1")))))
    }
    let times: [Int64] = [0, -1, 1_700_000_000_000_001, isMild ? 5 : .max, isMild ? 6 : .min]
    return Event(
      time: Timestamp(microseconds: g.pick(times, or: 0)), unit: UnitID(name()),
      id: some(EventID(name())), system: some(SystemID(name())), instance: some(InstanceID(name())),
      payload: payload,
      unknownFields: JSONMembers(validated: isMild ? "" : g.pick(members, or: "")))
  }

  /// Puts something into a record that its texts or lists must not have, or leaves it as it is.
  public static func spoil(_ record: inout EventRecord, using generator: inout SeededGenerator) {
    switch generator.index(7) {
    case 0: record[.unit] = record.add([0xFF, 0x41] as [UInt8])
    case 1: record[.reason] = EventRecord.Slice(start: record.bytes.count, count: 3)
    case 2 where record.hasContext:
      record.context += record.context
    case 3 where record.hasFeatures: record.featureGroups += record.featureGroups
    case 4: record.value = .nan
    case 5: record[.id] = record.add([0xED, 0xA0, 0x80] as [UInt8])
    default: break
    }
  }

  /// Whether the event has something that could not be read back, judged from what the generator puts into events.
  public static func isHostile(_ event: Event) -> Bool {
    var isBad =
      [.min, .max].contains(event.time.microseconds)
      || event.unit.rawValue.isEmpty && !event.kind.isLifeCycle
    let carried = event.unknownFields.text
    isBad =
      isBad
      || !["", #""x":1"#, #""x":1,"y":[{}]"#, " \"x\" : 1 ", #""x":"# + nest(64)].contains(carried)
    func judge(_ number: Double?) { if number?.isFinite == false { isBad = true } }
    func judge(_ attributes: Attributes?) {
      for entry in attributes?.entries ?? [] {
        if case .number(let number) = entry.value { judge(number) }
      }
    }
    switch event.payload {
    case .decision(let decision):
      judge(decision.propensity)
      for number in decision.probabilities ?? [] { judge(number) }
      judge(decision.context)
      for entry in decision.features?.entries ?? [] { judge(entry.attributes) }
      if decision.status == .accepted { isBad = true }
      if let choices = decision.choices, let all = decision.probabilities,
        choices.count != all.count
      {
        isBad = true
      }
    case .goal(let goal):
      judge(goal.value)
      judge(goal.metadata)
      if goal.status == .repeated { isBad = true }
    case .conversion(let conversion):
      judge(conversion.revenue)
      judge(conversion.metadata)
    case .dataPoint(let point): if case .number(let number)? = point.value { judge(number) }
    case .configurationApplied(let applied):
      let good: Set<String> = [
        "null", "{}", "[1]", #"{"a":{"b":[1,2.5,"x"]}}"#, "1", #""é""#, " {\"a\" :\n1}\t", nest(63),
        nest(64),
      ]
      if let text = applied.configuration?.text, !good.contains(text) { isBad = true }
    case .sessionExpired, .assignmentRemoved, .decisionConfirmed: break
    }
    return isBad
  }

  /// The event with its JSON as values, as white space means nothing.
  public static func normalized(_ event: Event) -> Event {
    var event = event
    func value(_ text: String) -> String { (try? JSONValue(parsing: text))?.description ?? text }
    event.unknownFields.text = value("{\(event.unknownFields.text)}")
    if case .configurationApplied(var applied) = event.payload {
      applied.configuration = applied.configuration.map { JSONText(validated: value($0.text)) }
      event.payload = .configurationApplied(applied)
    }
    return event
  }
}
