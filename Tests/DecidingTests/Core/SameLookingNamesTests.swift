import Bandits
import Events
import TestSupport
import Testing

@testable import DecidingAgents
@testable import DecidingConfig
@testable import DecidingCore
@testable import DecidingExperiments
@testable import DecidingRollouts
@testable import DecidingStudies

/// Names that Swift's `==` takes for one another, two by two, and plain ones that it does not, in the same order by
/// their bytes.
private struct Names {
  static let alike = ["xe\u{301}y", "xA\u{30A}y", "xÅy", "xéy"].sorted {
    $0.utf8.lexicographicallyPrecedes($1.utf8)
  }
  static let plain = ["x0y", "x1y", "x2y", "x3y"]

  let list: [String]

  /// The events with each name as its number.
  func transcript(_ events: [Event], _ answers: [String] = []) throws -> [String] {
    try (events.map { try $0.jsonLine } + answers).map { line in
      var bytes = Array(line.utf8)
      for (index, name) in list.enumerated() {
        bytes = Self.replace(Array(name.utf8), with: Array("<\(index)>".utf8), in: bytes)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func replace(_ name: [UInt8], with other: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < bytes.count {
      if bytes[index...].starts(with: name) {
        result += other
        index += name.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

@Suite("Names that look the same are as different as any others")
struct SameLookingNamesTests {
  private func expectTheSame(
    _ seed: UInt64, _ front: (Names, inout SeededGenerator) async throws -> [String]
  ) async throws {
    var (one, other) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
    let plain = try await front(Names(list: Names.plain), &one)
    let alike = try await front(Names(list: Names.alike), &other)
    #expect(plain == alike, "seed \(seed)")
    #expect(plain.count > 10)
  }

  @Test(
    "agents: sessions, segments, features, traits, inputs and pauses",
    arguments: LongTests.chunks(7, of: 20))
  func agents(seed: UInt64) async throws {
    try await expectTheSame(seed) { names, generator in
      let conditions: [AgentCondition] = names.list.flatMap { name in
        [
          AgentCondition(.trait("cust/\(name)"), .eq, .string(name)),
          AgentCondition(.input(name), .present), AgentCondition(.feature(name), .gt, 1),
          AgentCondition(.segment, .in, [.string(name)]),
        ]
      }
      let rules = conditions.enumerated().map { index, condition in
        AgentRule(
          "r\(index)", when: [condition], then: .segment("s\(index % 3)" + names.list[index % 4]))
      }
      let host = try AgentsHost(
        AgentDefinition(
          "x", policy: "epsilon-greedy", isSticky: false, learnsBy: .segment, rules: rules))
      func name() -> String { generator.pick(names.list, or: "") }
      var answers: [String] = []
      for _ in 0..<60 {
        switch generator.index(6) {
        case 0: try host.agents.pause("x", on: "b", for: [name()])
        case 1: try host.agents.resume("x", for: [name()])
        case 2: _ = try host.agents.goal(GoalRequest(agent: "x", session: name()))
        default:
          var request = DecisionRequest.of(session: name())
          request.segment = name()
          request.traits = [AgentTrait(name(), name())]
          request.inputs = generator.chance(0.5) ? [:] : [name(): 1]
          request.features = [AgentFeature(name(), weight: 2), AgentFeature(name(), weight: 1)]
          let reply = try host.agents.decide(request)
          answers.append(
            "\(reply.segment ?? "") \(reply.features.map { "\($0.name) \($0.weight)" })")
          answers.append("\(reply.decisions.map { "\($0.code) \($0.reason)" })")
        }
      }
      try host.expectRebuilt()
      for segment in names.list {
        let learned = host.agents.learned(by: "x", segment: "s1" + segment)
        answers.append("\(learned.keys.sorted().map { "\($0) \(learned[$0]?.decisions ?? 0)" })")
      }
      answers.append(host.agents.snapshot())
      return try names.transcript(host.world.events, answers)
    }
  }

  @Test(
    "experiments: sites, users, data, cookies, pages, segments and variables",
    arguments: 0..<20 as Range<UInt64>)
  func experiments(seed: UInt64) async throws {
    try await expectTheSame(seed) { names, generator in
      let world = ManualWorld()
      let factory = ClientFactory(
        loader: ManualExperimentLoader(), surroundings: world.surroundings)
      func name() -> String { generator.pick(names.list, or: "") }
      for site in names.list {
        let experiments = names.list.enumerated().map { index, name in
          Experiment(
            ExperimentID(name), variations: [ExperimentVariation(VariationID(name), deviation: 1)],
            targeting: [
              "groups": [
                [
                  "conditions": [
                    [
                      "type": "CUSTOM_DATUM", "name": .string(name), "operator": "EXACT",
                      "value": .string(names.list[(index + 1) % 4]),
                    ]
                  ]
                ]
              ]
            ])
        }
        try? factory.create(siteCode: site).apply(
          ExperimentConfiguration(siteCode: site, experiments: experiments))
      }
      var answers: [String] = []
      for _ in 0..<60 {
        let client = factory.create(siteCode: name())
        let user = name()
        switch generator.index(4) {
        case 0:
          try client.addData(
            userID: user, data: CustomData(name: name(), values: [name()]),
            VisitorCookie([name(): name()]))
        case 1: try await client.trackConversion(userID: user, goalID: GoalID(name()), revenue: 1)
        case 2: try await client.flush(userID: user)
        default:
          let experiment = ExperimentID(name())
          answers.append((try? client.triggerExperiment(user, experiment))?.rawValue ?? "none")
        }
      }
      answers.append(factory.snapshot())
      let again = ClientFactory(
        loader: ManualExperimentLoader(), surroundings: world.surroundings, replaying: world.events)
      #expect(again.snapshot() == factory.snapshot())
      return try names.transcript(world.events, answers)
    }
  }

  @Test("rollouts: experiments, variants and overrides", arguments: 0..<20 as Range<UInt64>)
  func rollouts(seed: UInt64) async throws {
    try await expectTheSame(seed) { names, generator in
      let world = ManualWorld(seed: seed)
      func name() -> String { generator.pick(names.list, or: "") }
      let rollouts = Rollouts(unit: names.list[0], surroundings: world.surroundings)
      var answers: [String] = []
      for _ in 0..<40 {
        switch generator.index(4) {
        case 0:
          try rollouts.setup(
            .init(
              names.list.map {
                RolloutExperiment(
                  ExperimentID($0),
                  variants: names.list.map {
                    .init(VariantID($0), weight: Double(generator.index(40)))
                  })
              }))
        case 1: try rollouts.force(name(), in: name())
        case 2: try rollouts.unforce(in: name())
        default: answers.append("\(rollouts.lastConfiguration?.json.description ?? "none")")
        }
      }
      return try names.transcript(world.events, answers + [rollouts.snapshot()])
    }
  }

  @Test(
    "settings: users, sections, keys, groups in meta, defaults of a schema",
    arguments: 0..<20 as Range<UInt64>)
  func settings(seed: UInt64) async throws {
    try await expectTheSame(seed) { names, generator in
      func name() -> String { generator.pick(names.list, or: "") }
      var answers: [String] = []
      for _ in 0..<20 {
        let meta = JSONObject(
          names.list.filter { _ in generator.chance(0.5) }.map {
            JSONObject.Member(name: $0, value: .string(name()))
          })
        let state = try ConfigurationState(
          json: [
            "meta": .object(meta),
            "config_sections": .object(
              JSONObject(
                names.list.map {
                  JSONObject.Member(
                    name: $0, value: ["settings": .object([name(): ["value": .string(name())]])])
                })),
          ], at: Timestamp(microseconds: 0))
        for name in names.list {
          answers.append("\(state.meta[name]?.description ?? "none")")
          answers.append(
            "\(state[name]?.keys.map { "\($0) \(state[name]?[$0]?.description ?? "")" } ?? [])")
        }
      }
      return try names.transcript([], answers)
    }
  }

  @Test("a schema's defaults are those of the section and the key that are named, byte for byte")
  func schema() throws {
    let schema = ConfigSchema(["xéy": ["k": .integer(default: 7)]])
    #expect(schema.defaults(of: "xéy")["k"] == 7)
    #expect(schema.defaults(of: "xe\u{301}y")["k"] == nil)
  }

  @Test("studies: names, options and what is known of the unit", arguments: 0..<20 as Range<UInt64>)
  func studies(seed: UInt64) async throws {
    try await expectTheSame(seed) { names, generator in
      let world = ManualWorld(seed: seed)
      func name() -> String { generator.pick(names.list, or: "") }
      let studies = Studies(unit: names.list[1], surroundings: world.surroundings)
      for study in names.list {
        try studies.define(Study(description: study, optionDescriptions: names.list))
      }
      for _ in 0..<40 {
        switch generator.index(3) {
        case 0: try studies.recordOptionTaken(withDescription: name(), in: name())
        case 1: try studies.recordEncounter(in: name())
        default: try studies.recordDataPoint(kind: "custom", key: name(), value: .text(name()))
        }
      }
      try studies.expectRebuilt(in: world)
      // What is known of the unit stands there by the hash of its name, which the names do not share.
      let snapshot = try JSONValue(parsing: studies.snapshot())
      return try names.transcript(world.events, [snapshot.without("codes").description])
    }
  }

  @Test("events and their attributes")
  func events() {
    let pairs = zip(["xéy", "xÅy"], ["xe\u{301}y", "xA\u{30A}y"])
    for (a, b) in pairs {
      #expect(AttributeValue.text(a) != .text(b) && TextKey(a) != TextKey(b))
      #expect(
        DataPoint(kind: a) != DataPoint(kind: b)
          && DataPoint(kind: "k", key: a) != DataPoint(kind: "k", key: b))
      #expect(SessionExpired(reason: a) != SessionExpired(reason: b))
      #expect(JSONText(validated: a) != JSONText(validated: b))
      #expect(
        ConfigurationApplied(system: "s", changed: [a])
          != ConfigurationApplied(system: "s", changed: [b]))
      #expect(Set([DataPoint(kind: a), DataPoint(kind: b), DataPoint(kind: a)]).count == 2)
      #expect(
        AttributeValue.integer(3) == .number(3)
          && AttributeValue.integer(3).hashValue == AttributeValue.number(3).hashValue)
    }
  }
}

extension JSONValue {
  /// The value without the members of a name, at whatever depth.
  fileprivate func without(_ name: String) -> JSONValue {
    switch self {
    case .array(let list): .array(list.map { $0.without(name) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { $0.name != name }.map {
            JSONObject.Member(name: $0.name, value: $0.value.without(name))
          }))
    default: self
    }
  }
}
