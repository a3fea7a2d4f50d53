import Events
import Platform
import Prediction
import Testing

@testable import Replay

/// What the live studies answer, as the scores of one more take: its log loss is that of the confidence it had.
@Suite("Predictions of studies in a log")
struct StudyVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var name: String
    var predictor = "beauchamp"
    /// Times are days.
    var events: [Event]
    var day: Int64 = 1
    var confidences: [String: Double]

    var testDescription: String { name }
  }

  static func defined(_ options: [(String, Int, Int)], _ reason: String = "defined") -> Event {
    let list = options.map { name, taken, met in
      """
      {"description":"\(name)","timesEncountered":\(met),"timesTaken":\(taken)}
      """
    }
    return event(
      0, "u",
      .configurationApplied(
        ConfigurationApplied(
          system: "studies", experiment: "s", reason: reason,
          configuration: JSONText(validated: "{\"options\":[\(list.joined(separator: ","))]}"))))
  }

  static func fresh(_ names: String) -> Event { defined(names.map { (String($0), 0, 0) }) }

  static func takes(_ names: String, day: Int64 = 0) -> [Event] {
    names.map { name in
      // A dot is an encounter of which nothing comes.
      dataPoint(
        day * PredictionWorld.day, "u", kind: name == "." ? "optionEncountered" : "optionTaken",
        key: "s", value: name == "." ? nil : .text(String(name)))
    }
  }

  static let vectors: [Vector] = [
    Vector(
      name: "BE-T1", events: [defined([("A", 1, 3), ("B", 2, 2), ("C", 3, 1)])],
      confidences: ["A": 0.25, "B": 0.5, "C": 0.75]),
    Vector(name: "BE-T6", events: [defined([("A", 100, 100)])], confidences: ["A": 100.0 / 101]),
    Vector(name: "BE-T7", events: [fresh("XY")], confidences: ["X": 0, "Y": 0]),
    Vector(
      name: "BE-T13",
      events: [fresh("ABC"), defined([("A", 0, 2), ("B", 1, 2), ("C", 0, 2)], "option-updated")],
      confidences: ["A": 0, "B": 1.0 / 3]),
    Vector(
      name: "BE-V20",
      events: [
        defined([("A", 2, 4), ("B", 1, 9)]), defined([("A", 2, 9)], "option-removed"),
      ], confidences: ["A": 0.2]),
    Vector(
      name: "BE-V5", events: [fresh("PMS")] + takes("M"),
      confidences: ["P": 0, "M": 0.5, "S": 0]),
    Vector(
      name: "BE-V9", events: [fresh("PMS")] + takes("MMS.M"),
      confidences: ["P": 0, "M": 0.5, "S": 1.0 / 6]),
    Vector(
      name: "BE-V13", predictor: "half-life:days=5",
      events: [fresh("AB")] + takes("AA") + takes("B", day: 5), day: 5,
      confidences: ["A": 1.0 / 3, "B": 1.0 / 3]),
    Vector(
      name: "BE-V14", predictor: "markov:order=1", events: [fresh("ABC")] + takes("ABABA"),
      confidences: ["A": 0, "B": 2.0 / 3, "C": 0]),
    Vector(
      name: "BE-V15", predictor: "ppm:order=2", events: [fresh("ABC")] + takes("ABABA"),
      confidences: ["A": 0.375, "B": 0.5, "C": 0.125]),
    Vector(
      name: "BE-V16", predictor: "ppm:order=2", events: [fresh("ABC")] + takes("A"),
      confidences: ["A": 0.5, "B": 0.25, "C": 0.25]),
    Vector(
      name: "BE-V16, empty", predictor: "ppm:order=2", events: [fresh("ABC")],
      confidences: ["A": 1.0 / 3, "C": 1.0 / 3]),
    Vector(
      name: "BE-V17", predictor: "last", events: [fresh("AB")] + takes("AABBB"),
      confidences: ["A": 0, "B": 0.6]),
    Vector(
      name: "BE-V21", predictor: "ppm:order=2", events: [fresh("ABCD")] + takes("AABAAC"),
      confidences: ["A": 4.0 / 9, "B": 1.0 / 9, "C": 1.0 / 9, "D": 1.0 / 3]),
    Vector(
      name: "BE-V21, markov", predictor: "markov:order=1",
      events: [fresh("ABCD")] + takes("AABAAC"),
      confidences: ["A": 4.0 / 7, "B": 1.0 / 7, "C": 1.0 / 7, "D": 0]),
    Vector(
      name: "BE-T18", events: [fresh("AB")] + takes("AAB") + [fresh("AB")],
      confidences: ["A": 0, "B": 0]),
    Vector(
      name: "of everyone", events: [event(0, "", fresh("AB").payload)] + takes("AAB"),
      confidences: ["A": 0.5, "B": 0.25]),
    Vector(
      name: "an option that comes with its take is as often encountered as the others",
      predictor: "half-life:days=5", events: [fresh("A")] + takes("AAB", day: 0),
      day: 0, confidences: ["A": 0.5, "B": 0.25]),
  ]

  @Test("a predictor trained on the log predicts as the live study does", arguments: vectors)
  func confidences(vector: Vector) throws {
    let predictor = try Predictors.named(vector.predictor)
    for (option, confidence) in vector.confidences {
      let log = try WorldLog(vector.events + Self.takes(option, day: vector.day))
      var rules = PredictionRules(predictors: [predictor])
      rules.plan.warmUp = vector.events.count {
        guard case .dataPoint(let point) = $0.payload else { return false }
        return point.kind == "optionTaken"
      }
      let result = try LogReplay(log.reader, jobs: 1).predictions(UnitSelection(), rules)
      let scores = try #require(result.predictors[0].tallies.scores(study: 0))
      #expect(scores.events == 1)
      let loss = -Platform.log(max(confidence, 1e-15))
      #expect(abs((scores.logLoss ?? 0) - loss) < 1e-11, "\(option)")
    }
  }
}
