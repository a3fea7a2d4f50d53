import Deciding
import Events
import Prediction
import Testing

/// A row of the table: what a study is given, what happens, what is expected.
struct StudyRow: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    case take(String)
    case encounter
    case add(String, Bool)
    case remove(String)
    case set([String])
    case update(String, Int, Int)
    case day(Double)
  }

  var id: String
  var predictor = "beauchamp"
  /// Description, taken, encountered.
  var given: [(String, Int, Int)]
  var steps: [Step] = []
  var options: [(String, Int, Int)]?
  var confidences: [Double]?
  /// The best option; nil inside when there is none.
  var best: (String, Double)??
  var reason: StudyPrediction.Reason?
  var above: Double?

  var testDescription: String { id }

  init(
    _ id: String, _ given: [(String, Int, Int)], by predictor: String = "beauchamp",
    _ steps: [Step] = [], options: [(String, Int, Int)]? = nil, confidences: [Double]? = nil,
    best: (String, Double)?? = nil, reason: StudyPrediction.Reason? = nil, above: Double? = nil
  ) {
    self.id = id
    self.given = given
    self.predictor = predictor
    self.steps = steps
    self.options = options
    self.confidences = confidences
    self.best = best
    self.reason = reason
    self.above = above
  }
}

private func fresh(_ names: String...) -> [(String, Int, Int)] { names.map { ($0, 0, 0) } }

@Suite("Studies: vectors")
struct StudiesVectorTests {
  private static let places = fresh("P", "M", "S")
  private static let descriptions = fresh("description 1", "description 2", "description 3")

  static let counting: [StudyRow] = [
    StudyRow(
      "BE-T1", [("O1", 1, 3), ("O2", 2, 2), ("O3", 3, 1)],
      options: [("O1", 1, 3), ("O2", 2, 3), ("O3", 3, 3)], best: ("O3", 0.75)),
    StudyRow("BE-T3", descriptions, options: descriptions),
    StudyRow("BE-T4", fresh("A"), best: ("A", 0), reason: .blind),
    StudyRow("BE-T5", [("A", 1, 1)], best: ("A", 0.5), reason: .counts),
    StudyRow("BE-T6", [("A", 100, 100)], best: ("A", 100.0 / 101)),
    StudyRow("BE-T7", fresh("X", "Y"), best: ("X", 0), reason: .blind),
    StudyRow("BE-T8", [("X", 1, 1), ("Y", 0, 1)], best: ("X", 0.5)),
    StudyRow(
      "BE-T9", descriptions, [.take("description 2")],
      options: [("description 1", 0, 1), ("description 2", 1, 1), ("description 3", 0, 1)],
      best: ("description 2", 0.5)),
    StudyRow(
      "BE-T10", fresh("A", "B"), [.add("C", true), .add("C", false)], options: fresh("A", "B", "C")),
    StudyRow(
      "BE-T12 three", fresh("Z"), [.set(["A", "B", "C"])], options: fresh("A", "B", "C")),
    StudyRow(
      "BE-T12 two", fresh("Z"), [.set(["A", "B", "C"]), .take("A"), .set(["A", "D"])],
      options: fresh("A", "D")),
    StudyRow(
      "BE-T13", descriptions, [.update("description 2", 1, 2)],
      options: [("description 1", 0, 2), ("description 2", 1, 2), ("description 3", 0, 2)],
      best: ("description 2", 1.0 / 3)),
    StudyRow(
      "BE-T14", descriptions, [.update("description 2", 1, 2), .update("description A", 2, 2)],
      options: [
        ("description 1", 0, 2), ("description 2", 1, 2), ("description 3", 0, 2),
        ("description A", 2, 2),
      ], best: ("description A", 2.0 / 3)),
    StudyRow(
      "BE-T15", fresh("A", "B", "C"), [.encounter],
      options: [("A", 0, 1), ("B", 0, 1), ("C", 0, 1)]),
    StudyRow(
      "BE-R1", [("1", 1, 10), ("2", 2, 10), ("3", 3, 10)],
      confidences: [1.0 / 11, 2.0 / 11, 3.0 / 11], best: ("3", 3.0 / 11)),
    StudyRow("BE-R2 at", [("A", 1, 1)], best: .some(nil), above: 0.5),
    StudyRow("BE-R2 above", [("A", 2, 2)], best: ("A", 2.0 / 3), above: 0.5),
    StudyRow("BE-V18", [("A", 3, 4)], best: .some(nil), above: 0.6),
    StudyRow("BE-V4", fresh("A"), options: fresh("A")),
    StudyRow("BE-V20", [("A", 2, 4), ("B", 1, 9)], [.remove("B")], options: [("A", 2, 9)]),
    StudyRow(
      "BE-V5", places, [.take("M")], options: [("P", 0, 1), ("M", 1, 1), ("S", 0, 1)],
      best: ("M", 0.5)),
    StudyRow(
      "BE-V6", places, [.take("M"), .take("M")],
      options: [("P", 0, 2), ("M", 2, 2), ("S", 0, 2)], confidences: [0, 2.0 / 3, 0],
      best: ("M", 2.0 / 3)),
    StudyRow(
      "BE-V7", places, [.take("M"), .take("M"), .take("S")],
      options: [("P", 0, 3), ("M", 2, 3), ("S", 1, 3)], confidences: [0, 0.5, 0.25],
      best: ("M", 0.5)),
    StudyRow(
      "BE-V8", places, [.take("M"), .take("M"), .take("S"), .encounter],
      options: [("P", 0, 4), ("M", 2, 4), ("S", 1, 4)], confidences: [0, 0.4, 0.2],
      best: ("M", 0.4)),
    StudyRow(
      "BE-V9", places, [.take("M"), .take("M"), .take("S"), .encounter, .take("M")],
      options: [("P", 0, 5), ("M", 3, 5), ("S", 1, 5)], confidences: [0, 0.5, 1.0 / 6],
      best: ("M", 0.5)),
  ]

  private static let singleCounts: [(Int, Int, Double)] = [
    (0, 5, 0), (1, 2, 1.0 / 3), (2, 3, 0.5), (3, 3, 0.75), (2, 9, 0.2), (3, 10, 3.0 / 11),
    (6, 6, 6.0 / 7), (50, 100, 50.0 / 101),
  ]

  static let single: [StudyRow] = singleCounts.map { taken, encountered, confidence in
    StudyRow(
      "BE-V1 \(taken)/\(encountered)", [("A", taken, encountered)], best: ("A", confidence))
  }

  private static func takes(_ names: String) -> [StudyRow.Step] { names.map { .take(String($0)) } }

  static let predictors: [StudyRow] = [
    StudyRow(
      "BE-V13", fresh("A", "B"), by: "half-life:days=5",
      [.take("A"), .take("A"), .day(5), .take("B")],
      confidences: [1.0 / 3, 1.0 / 3], best: ("A", 1.0 / 3), reason: .tie),
    StudyRow(
      "BE-V14", fresh("A", "B", "C"), by: "markov:order=1", takes("ABABA"),
      confidences: [0, 2.0 / 3, 0]),
    StudyRow(
      "BE-V15", fresh("A", "B", "C"), by: "ppm:order=2", takes("ABABA"),
      confidences: [3.0 / 8, 0.5, 1.0 / 8]),
    StudyRow(
      "BE-V16 one", fresh("A", "B", "C"), by: "ppm:order=2", takes("A"),
      confidences: [0.5, 0.25, 0.25]),
    StudyRow(
      "BE-V16 none", fresh("A", "B", "C"), by: "ppm:order=2",
      confidences: [1.0 / 3, 1.0 / 3, 1.0 / 3], reason: .blind),
    StudyRow(
      "BE-V17", fresh("A", "B"), by: "last", takes("AABBB"), confidences: [0, 0.6], best: ("B", 0.6)
    ),
    StudyRow(
      "BE-V21 ppm", fresh("A", "B", "C", "D"), by: "ppm:order=2", takes("AABAAC"),
      confidences: [4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 3]),
    StudyRow(
      "BE-V21 markov", fresh("A", "B", "C", "D"), by: "markov:order=1", takes("AABAAC"),
      confidences: [4.0 / 7, 1.0 / 7, 1.0 / 7, 0]),
    StudyRow(
      "uniform", fresh("A", "B", "C", "D"), by: "uniform", takes("AAB"),
      confidences: [0.25, 0.25, 0.25, 0.25], best: ("A", 0.25), reason: .blind),
  ]

  @Test("of a study as a value", arguments: counting + single + predictors)
  func value(row: StudyRow) throws {
    var study = try Study(
      description: "s", options: row.options(row.given),
      predictor: Predictors.named(row.predictor), at: Timestamp(microseconds: 0))
    var time = Timestamp(microseconds: 0)
    for step in row.steps {
      switch step {
      case .take(let name): try study.recordOptionTaken(withDescription: name, at: time)
      case .encounter: study.recordEncounter(at: time)
      case .add(let name, let isNew):
        let wasAdded = study.addOption(withDescription: name)
        #expect(wasAdded == isNew)
      case .remove(let name):
        let wasRemoved = study.removeOption(withDescription: name)
        #expect(wasRemoved)
      case .set(let names): try study.setOptions(withDescriptions: names)
      case .update(let name, let taken, let encountered):
        try study.updateOption(
          StudyOption(description: name, timesTaken: taken, timesEncountered: encountered), at: time
        )
      case .day(let day): time = Timestamp(microseconds: Int64(day * 86_400e6))
      }
    }
    row.check(study, at: time)
  }

  @Test("live, and after a replay of the log", arguments: counting + single + predictors)
  func front(row: StudyRow) throws {
    let world = ManualWorld()
    let predictor = try Predictors.named(row.predictor)
    let studies = Studies(unit: "u", surroundings: world.surroundings, predictor: predictor)
    try studies.define(Study(description: "s", options: row.options(row.given)))
    for step in row.steps {
      switch step {
      case .take(let name): try studies.recordOptionTaken(withDescription: name, in: "s")
      case .encounter: try studies.recordEncounter(in: "s")
      case .add(let name, let isNew):
        #expect(try studies.addOption(withDescription: name, in: "s") == isNew)
      case .remove(let name): #expect(try studies.removeOption(withDescription: name, in: "s"))
      case .set(let names): try studies.setOptions(withDescriptions: names, in: "s")
      case .update(let name, let taken, let encountered):
        try studies.updateOption(
          StudyOption(description: name, timesTaken: taken, timesEncountered: encountered), in: "s")
      case .day(let day): world.time.advance(seconds: day * 86_400)
      }
    }
    for front in [studies, world.replayed(predictor)] {
      row.check(try #require(front["s"]), at: world.time.now)
      let best = try front.mostLikelyPrediction(in: "s", above: row.above)
      row.check(best: best)
      let predictions = try front.predictions(in: "s")
      #expect(predictions.map(\.option.description) == front["s"]?.options.map(\.description))
      row.check(confidences: predictions)
    }
    try studies.expectRebuilt(in: world)
  }
}

extension StudyRow {
  func options(_ rows: [(String, Int, Int)]) -> [StudyOption] {
    rows.map { StudyOption(description: $0.0, timesTaken: $0.1, timesEncountered: $0.2) }
  }

  func check(_ study: Study, at time: Timestamp) {
    if let options {
      #expect(study.options == self.options(options), "\(id)")
      #expect(study.options.map(\.timesTaken) == options.map(\.1), "\(id)")
      #expect(study.options.map(\.timesEncountered) == options.map(\.2), "\(id)")
    }
    check(confidences: study.predictions(at: time))
    check(best: study.mostLikelyPrediction(above: above, at: time))
  }

  func check(confidences predictions: [StudyPrediction]) {
    guard let confidences else { return }
    #expect(predictions.count == confidences.count, "\(id)")
    for (prediction, confidence) in zip(predictions, confidences) {
      #expect(abs(prediction.confidence - confidence) <= 1e-12, "\(id) \(prediction)")
    }
  }

  func check(best prediction: StudyPrediction?) {
    if let reason { #expect(prediction?.reason == reason, "\(id)") }
    guard let best else { return }
    #expect(prediction?.option.description == best?.0, "\(id)")
    if let prediction, let best {
      #expect(abs(prediction.confidence - best.1) <= 1e-12, "\(id)")
      #expect(prediction.confidence < 1, "\(id)")
    }
  }
}
