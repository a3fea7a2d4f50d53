import DecidingCore
import Events
import Testing

@testable import DecidingRollouts

/// One call of a row: what is done, and what comes back.
struct RolloutStep: Sendable {
  /// Put in use before the call; nil changes nothing.
  var setup: RolloutExperiment?
  /// The generator's next word, and the saved number that is expected for a variant.
  var number: Double?
  var value: String
  var reason: Reason?

  init(
    _ setup: RolloutExperiment? = nil, number: Double? = nil, gives value: String,
    _ reason: Reason? = nil
  ) {
    (self.setup, self.number, self.value, self.reason) = (setup, number, value, reason)
  }
}

/// A row of the table.
struct RolloutRow: Sendable, CustomTestStringConvertible {
  var id: String
  var saved: [String: JSONValue] = [:]
  var language = "en"
  var region: String? = "IL"
  var asks: String? = "Exp01"
  var standard = "D"
  var conditions: Bool?
  var steps: [RolloutStep]
  var testDescription: String { id }
}

/// Variants as the table writes them.
func exp(
  _ variants: KeyValuePairs<String, Double>, _ name: String = "Exp01", sticky: Bool = false,
  languages: String? = nil, countries: String? = nil
) -> RolloutExperiment {
  RolloutExperiment(
    ExperimentID(name),
    variants: variants.map { .init(VariantID($0.key), weight: $0.value) }, isSticky: sticky,
    languages: languages.map { $0.split(separator: ",").map(String.init) },
    countries: countries.map { $0.split(separator: ",").map(String.init) })
}

/// The state that the log of the world makes.
func rebuilt(_ world: ManualWorld) -> RolloutsState { RolloutsState(replaying: world.events) }

@Suite("Rollouts, row by row")
struct RolloutVectorTests {
  private static let opt2 = exp(["Opt01": 0, "Opt02": 1])
  private static let opt1 = exp(["Opt01": 1, "Opt02": 0])
  private static let saved: [String: JSONValue] = [
    "Exp01_ExperimentResult": "Exp01_Opt01", "Exp01_ExperimentRandomNumber": 0.44,
  ]
  private static func one(_ languages: String? = nil, _ countries: String? = nil)
    -> RolloutExperiment
  {
    exp(["Opt01": 1], languages: languages, countries: countries)
  }

  static let rows: [RolloutRow] = [
    .init(id: "RO-T1", steps: [.init(opt2, gives: "Exp01_Opt02")]),
    .init(
      id: "RO-T2", asks: "Exp02",
      steps: [.init(exp(["Opt01": 0, "Opt02": 1], "Exp02"), gives: "Exp02_Opt02")]),
    .init(
      id: "RO-T3", asks: "Exp02", standard: "Exp01_Opt01",
      steps: [.init(opt2, gives: "Exp01_Opt01", .unknownExperiment)]),
    .init(
      id: "RO-T4", saved: saved, standard: "X",
      steps: [.init(opt1, gives: "Exp01_Opt01", .savedNumber)]),
    .init(id: "RO-T5", saved: saved, steps: [.init(opt2, gives: "Exp01_Opt02", .reallocated)]),
    .init(
      id: "RO-T6", saved: saved,
      steps: [.init(exp(["Opt01": 1, "Opt02": 0], sticky: true), gives: "Exp01_Opt01", .sticky)]),
    .init(
      id: "RO-T7", saved: saved,
      steps: [.init(exp(["Opt01": 0, "Opt02": 1], sticky: true), gives: "Exp01_Opt01", .sticky)]),
    .init(id: "RO-T9", steps: [.init(gives: "D", .noConfiguration)]),
    .init(id: "RO-T10", asks: nil, steps: [.init(opt1, gives: "D", .unknownExperiment)]),
    .init(id: "RO-T11", steps: [.init(one("En,hr,he"), gives: "Exp01_Opt01")]),
    .init(
      id: "RO-T12", language: "en-UK", steps: [.init(one("En,hr,he,en"), gives: "Exp01_Opt01")]),
    .init(
      id: "RO-T13", standard: "Exp01_Opt08",
      steps: [.init(one("hr,he"), gives: "Exp01_Opt08", .language)]),
    .init(id: "RO-T14", steps: [.init(one(), gives: "Exp01_Opt01")]),
    .init(id: "RO-T15", steps: [.init(one(nil, "us,il,sp"), gives: "Exp01_Opt01")]),
    .init(
      id: "RO-T16", standard: "Exp01_Opt08",
      steps: [.init(one(nil, "de,po"), gives: "Exp01_Opt08", .country)]),
    .init(id: "RO-T17", steps: [.init(one(), gives: "Exp01_Opt01")]),
    .init(id: "RO-T20", conditions: true, steps: [.init(one(), gives: "Exp01_Opt01")]),
    .init(
      id: "RO-T21", standard: "Exp01_Opt09", conditions: false,
      steps: [.init(one(), gives: "Exp01_Opt09", .conditions)]),
    .init(
      id: "RO-V7", steps: [.init(exp(["A": 0, "B": 0]), gives: "D", .noDrawableVariant)]),
    .init(
      id: "RO-V9 legacy 1", saved: ["Exp01_ExperimentNumberKey": 1],
      steps: [.init(exp(["A": 0, "B": 100]), gives: "Exp01_B")]),
    .init(
      id: "RO-V9 legacy 100", saved: ["Exp01_ExperimentNumberKey": 100],
      steps: [.init(exp(["A": 0, "B": 100]), gives: "Exp01_B")]),
    .init(
      id: "RO-V12", saved: ["Exp01_ExperimentRandomNumber": 0.35],
      steps: [
        .init(exp(["on": 10, "off": 90]), gives: "Exp01_off"),
        .init(exp(["on": 40, "off": 60]), gives: "Exp01_on"),
        .init(exp(["on": 100, "off": 0]), gives: "Exp01_on"),
        .init(exp(["on": 10, "off": 90]), gives: "Exp01_off"),
      ]),
    .init(id: "RO-V13", steps: [.init(one(nil, "US, IL"), gives: "Exp01_Opt01")]),
    .init(id: "RO-V13 il", region: "il", steps: [.init(one(nil, "US,IL"), gives: "Exp01_Opt01")]),
    .init(
      id: "RO-V24", language: "he-IL", steps: [.init(one(" EN , he"), gives: "Exp01_Opt01")]),
    .init(
      id: "RO-V24 unknown", language: "", steps: [.init(one(" EN , he"), gives: "D", .language)]),
    .init(id: "RO-V14", language: "fr-CA", steps: [.init(one("en"), gives: "D", .language)]),
    .init(
      id: "RO-V16", saved: ["Exp01_ExperimentRandomNumber": 0.6],
      steps: [
        .init(exp(["A": 50, "B": 50]), gives: "Exp01_B"),
        .init(exp(["A": 50, "B": 50], sticky: true), gives: "Exp01_B", .sticky),
        .init(exp(["A": 100, "B": 0], sticky: true), gives: "Exp01_B", .sticky),
      ]),
    .init(
      id: "RO-V17",
      saved: ["Exp01_ExperimentRandomNumber": 0.6, "Exp01_ExperimentResult": "B"],
      steps: [
        .init(exp(["A": 50, "B": 50], sticky: true), gives: "Exp01_B", .sticky),
        .init(exp(["A": 100, "B": 0]), gives: "Exp01_A", .reallocated),
      ]),
  ]

  @Test("the original's rows hold, live and after a replay", arguments: rows)
  func row(row: RolloutRow) throws {
    let world = ManualWorld(
      locale: UserLocale(languages: row.language.isEmpty ? [] : [row.language], region: row.region))
    var rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.importDraw("Exp01", from: row.saved)
    for step in row.steps {
      // Each step also finds what a system knows that has just been started again.
      let known = world.events
      rollouts = Rollouts(unit: "u", surroundings: world.surroundings, replaying: known)
      if let experiment = step.setup { try rollouts.setup(.init([experiment])) }
      let conditions = row.conditions.map { answer in { answer } }
      let preview = rollouts.preview(
        experiment: row.asks, default: row.standard, conditions: conditions)
      let result = rollouts.result(
        experiment: row.asks, default: row.standard, conditions: conditions)
      #expect(result.value == step.value, "\(row.id)")
      if let reason = step.reason { #expect(result.reason == reason, "\(row.id)") }
      if case .answer(let foreseen) = preview { #expect(foreseen.value == result.value) }
      #expect(rollouts.state == rebuilt(world), "\(row.id)")
    }
  }

  struct Walk: Sendable, CustomTestStringConvertible {
    var id: String
    var weights: [Double]
    var numbers: [Double]
    var expected: [Int?]
    var testDescription: String { id }
  }

  @Test(
    "numbers lead to variants, boundaries included",
    arguments: [
      Walk(
        id: "RO-V1", weights: [70, 30], numbers: [0.000001, 0.5, 0.699999, 0.7, 0.700001, 1],
        expected: [0, 0, 0, 0, 1, 1]),
      Walk(id: "RO-V2", weights: [0, 100], numbers: [0.000001, 0.5, 1], expected: [1, 1, 1]),
      Walk(id: "RO-V3", weights: [100, 0], numbers: [0.000001, 0.5, 1], expected: [0, 0, 0]),
      Walk(id: "RO-V4", weights: [7, 93], numbers: [0.07, 0.070001], expected: [0, 1]),
      Walk(
        id: "RO-V5", weights: [1.5, 1.5], numbers: [0.5, 0.500001, 0.75, 1],
        expected: [0, 1, 1, 1]),
      Walk(id: "RO-V6", weights: [0.5, 0.5], numbers: [0.5, 0.500001], expected: [0, 1]),
      Walk(id: "RO-V7", weights: [0, 0], numbers: [0.000001, 1], expected: [nil, nil]),
      Walk(id: "RO-V8", weights: .init(repeating: 1, count: 12), numbers: [1], expected: [11]),
      Walk(
        id: "RO-V22", weights: [1, 78, 21], numbers: [0.01, 0.79, 0.790001, 1],
        expected: [0, 1, 2, 2]),
      Walk(id: "RO-36 zero", weights: [0, 3, 1], numbers: [0], expected: [1]),
    ])
  func walk(row: Walk) throws {
    for (number, expected) in zip(row.numbers, row.expected) {
      let variants = row.weights.enumerated().map {
        RolloutExperiment.Variant(VariantID("v\($0.offset)"), weight: $0.element)
      }
      let world = ManualWorld()
      let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
      try rollouts.setup(.init([RolloutExperiment("E", variants: variants)]))
      try rollouts.importDraw("E", from: ["E_ExperimentRandomNumber": .number(number)])
      let value = expected.map { "E_v\($0)" } ?? "D"
      #expect(rollouts.variant(experiment: "E", default: "D") == value, "\(row.id) \(number)")
      #expect(rollouts.state == rebuilt(world))
    }
  }

  @Test(
    "RO-V10, RO-V11, RO-V23: a word of the generator is a number in millionths",
    arguments: [
      (0, 0.000001, "A"), (999_999, 1.0, "B"), (439_999, 0.44, "A"), (440_000, 0.440001, "B"),
      (1_000_000, 0.000001, "A"), (1_234_567_890_123, 0.890124, "B"),
    ] as [(UInt64, Double, String)])
  func words(word: UInt64, number: Double, variant: String) throws {
    let world = ManualWorld(random: ScriptedGenerator([word]))
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    try rollouts.setup(.init([exp(["A": 44, "B": 56])]))
    let result = rollouts.result(experiment: "Exp01", default: "D")
    #expect(result.number == number && result.value == "Exp01_" + variant)
  }
}
