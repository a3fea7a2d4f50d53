import Events
import TestSupport

/// Events of every kind, with every field now and then, hostile texts and extreme numbers.
struct RandomEvents {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func event() -> Event {
    let kind = generator.pick(EventKind.allCases, or: .goal)
    return Event(
      time: time(), unit: UnitID(kind.isLifeCycle && generator.chance(0.3) ? "" : "u" + text()),
      id: maybe { EventID($0.text()) }, system: maybe { $0.system() },
      instance: maybe { InstanceID($0.text()) }, payload: payload(kind),
      unknownFields: unknownFields(kind))
  }

  mutating func time() -> Timestamp {
    let whole = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator) * 1_000_000
    return Timestamp(
      microseconds: generator.chance(0.5)
        ? whole : whole + Int64.random(in: 0..<1_000_000, using: &generator))
  }

  mutating func payload(_ kind: EventKind) -> Payload {
    switch kind {
    case .decision: .decision(decision())
    case .goal:
      .goal(
        Goal(
          experiment: ExperimentID(text()), point: maybe { PointID($0.text()) },
          slot: maybe { SlotID($0.text()) }, goal: GoalID(text()), value: maybe { $0.number() },
          status: maybe { $0.generator.pick([.accepted, .refused], or: .accepted) },
          reason: maybe { $0.text() }, metadata: maybe { $0.attributes() }))
    case .conversion:
      .conversion(
        Conversion(
          goal: GoalID(text()), revenue: maybe { $0.number() },
          negative: maybe { $0.generator.chance(0.5) }, metadata: maybe { $0.attributes() }))
    case .dataPoint:
      .dataPoint(
        DataPoint(kind: text(), key: maybe { $0.text() }, value: maybe { $0.value() }))
    case .sessionExpired:
      .sessionExpired(
        SessionExpired(
          experiment: maybe { ExperimentID($0.text()) }, reason: maybe { $0.text() }))
    case .assignmentRemoved:
      .assignmentRemoved(
        AssignmentRemoved(
          experiment: maybe { ExperimentID($0.text()) }, reason: maybe { $0.text() }))
    case .decisionConfirmed:
      .decisionConfirmed(
        DecisionConfirmed(
          experiment: ExperimentID(text()), point: maybe { PointID($0.text()) },
          slot: maybe { SlotID($0.text()) }))
    case .configurationApplied:
      .configurationApplied(
        ConfigurationApplied(
          system: SystemID(text()), experiment: maybe { ExperimentID($0.text()) },
          reason: maybe { $0.text() }, changed: maybe { $0.list { $0.text() } },
          configuration: maybe { JSONText(validated: $0.json(depth: 4)) }))
    }
  }

  mutating func system() -> SystemID {
    generator.pick([.agents, .experiments, .activeConfig, SystemID(text())], or: .agents)
  }

  mutating func decision() -> Decision {
    let choices = maybe { $0.list { VariantID($0.text()) } }
    var probabilities: [Double]?
    if generator.chance(0.5) {
      probabilities = (0..<(choices?.count ?? 2)).map { _ in number() }
    }
    return Decision(
      experiment: ExperimentID(text()), point: maybe { PointID($0.text()) },
      slot: maybe { SlotID($0.text()) }, variant: VariantID(text()), choices: choices,
      propensity: maybe { $0.number() }, probabilities: probabilities,
      policy: maybe { PolicyID($0.text()) }, reason: maybe { $0.text() },
      status: maybe {
        $0.generator.pick([.confirmed, .provisional, .repeated, .excluded], or: .confirmed)
      },
      context: maybe { $0.attributes() }, features: maybe { $0.features() })
  }

  mutating func attributes() -> Attributes {
    var result = Attributes()
    let count = generator.chance(0.05) ? 40 : Int.random(in: 0..<4, using: &generator)
    for _ in 0..<count { result[text()] = value() }
    return result
  }

  mutating func features() -> Features {
    var result = Features()
    // Foundation cannot tell keys apart that are canonically equivalent, so none of them are.
    for index in 0..<Int.random(in: 0..<4, using: &generator) {
      result[VariantID("\(index)" + text())] = attributes()
    }
    return result
  }

  mutating func value() -> AttributeValue {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .number(number())
    case 1: AttributeValue(integer())
    case 2: .flag(generator.chance(0.5))
    default: .text(text())
    }
  }

  mutating func number() -> Double { finiteNumber(&generator) }

  mutating func integer() -> Int64 {
    let near = Int64.random(in: -3...3, using: &generator)
    return generator.pick(
      [
        near, 1 << 53 + near, -(1 << 53) + near, .max - abs(near), .min + abs(near),
        Int64(bitPattern: generator.next()),
      ], or: 0)
  }

  mutating func text() -> String {
    let pieces = [
      "a", "red", "checkout", "0", "83023", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{1F}",
      "\u{8}", "\u{C}", "\u{7F}", "\u{80}", "é", "ß", "Ж", "\u{7FF}", "\u{800}", "€", "\u{D7FF}",
      "\u{E000}", "\u{FFFF}", "😀", "\u{10FFFF}", "\u{2028}", " ", "{}[]:,", "\\u0041", "null",
      "=1+1", "a longer piece of plain text that takes several words",
    ]
    let count = generator.chance(0.01) ? 200 : Int.random(in: 0..<5, using: &generator)
    return (0..<count).map { _ in generator.pick(pieces, or: "x") }.joined()
  }

  /// A JSON value of any shape, with white space here and there.
  mutating func json(depth: Int) -> String {
    let space = generator.pick(["", "", "", " ", "\t "], or: "")
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
    case 0: return "null"
    case 1: return generator.chance(0.5) ? "true" : "false"
    case 2:
      return generator.pick(["0", "-0", "1.50", "1e3", "2E-2", "-7.25e+1", "12345678"], or: "1")
    case 3: return #""""#
    case 4: return generator.pick([#""é😀""#, #""\u00e9\ud83d\ude00\n""#, #""a\\\"b\/""#], or: "1")
    case 5: return "\"plain text\""
    case 6:
      let elements = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
        json(depth: depth - 1)
      }
      return "[" + space + elements.joined(separator: "," + space) + space + "]"
    default:
      let members = (0..<Int.random(in: 0..<4, using: &generator)).map { index in
        "\"k\(index)\"" + space + ":" + space + json(depth: depth - 1)
      }
      return "{" + space + members.joined(separator: space + ",") + "}"
    }
  }

  private mutating func unknownFields(_ kind: EventKind) -> JSONMembers {
    guard generator.chance(0.3) else { return JSONMembers() }
    var names = ["future", "été", "x\\ty", ""]
    if kind != .configurationApplied { names.append("configuration") }
    if kind != .dataPoint { names.append("kind") }
    if kind != .decision { names.append("variant") }
    let chosen = names.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator))
    return JSONMembers(
      validated: chosen.map { "\"\($0)\":" + json(depth: 3) }.joined(separator: ","))
  }

  private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    generator.chance(0.5) ? make(&self) : nil
  }

  private mutating func list<Value>(_ make: (inout Self) -> Value) -> [Value] {
    (0..<Int.random(in: 0..<4, using: &generator)).map { _ in make(&self) }
  }
}
