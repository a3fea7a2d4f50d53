import Deciding
import Events
import Foundation
import Prediction
import Testing

@Suite("Studies: options and studies as values")
struct StudyValueTests {
  @Test("BE-1, BE-2: options are equal and hash alike when their descriptions are the same")
  func options() {
    #expect(StudyOption(description: "A").timesTaken == 0)
    #expect(
      StudyOption(description: "A", timesTaken: 1, timesEncountered: 2)
        == StudyOption(description: "A"))
    #expect(
      Set([StudyOption(description: "A"), StudyOption(description: "A", timesEncountered: 1)]).count
        == 1)
    #expect(StudyOption(description: "e\u{301}") != StudyOption(description: "\u{e9}"))
  }

  @Test("BE-2: studies are equal when description, options in order and counts are")
  func equality() throws {
    let study = try Study(description: "s", optionDescriptions: ["A", "B"])
    var other = try Study(description: "s", optionDescriptions: ["A", "B"], predictor: .last)
    #expect(study == other)
    other.recordEncounter()
    #expect(study != other)
    #expect(study != (try Study(description: "s", optionDescriptions: ["B", "A"])))
    #expect(study != (try Study(description: "t", optionDescriptions: ["A", "B"])))
  }

  @Test("BE-3, BE-V4: the share of takes is nil without encounters")
  func percentage() {
    #expect(StudyOption(description: "A").percentageTaken == nil)
    #expect(
      StudyOption(description: "A", timesTaken: 1, timesEncountered: 4).percentageTaken == 0.25)
  }

  @Test(
    "BE-V2: taken more often than encountered is refused",
    arguments: [(2, 1), (3, 1), (4, 3), (6, 4)])
  func exceeding(taken: Int, encountered: Int) throws {
    let option = StudyOption(description: "A", timesTaken: taken, timesEncountered: encountered)
    let error = StudyError.takenExceedsEncountered("A", taken: taken, encountered: encountered)
    #expect(throws: error) { try Study(description: "s", options: [option]) }
    var study = try Study(description: "s", optionDescriptions: ["A"])
    #expect(throws: error) { try study.updateOption(option) }
    #expect(study.options.first?.timesTaken == 0)
    let world = ManualWorld()
    let studies = try world.studies("A")
    #expect(throws: error) { try studies.updateOption(option, in: "s") }
    #expect(world.events.count == 1)
  }

  @Test("BE-V3, BE-4: descriptions are unique and not empty")
  func duplicates() throws {
    #expect(throws: StudyError.duplicateOption("A")) {
      try Study(description: "s", optionDescriptions: ["A", "B", "A"])
    }
    #expect(throws: StudyError.emptyDescription) {
      try Study(description: "s", optionDescriptions: ["A", ""])
    }
    #expect(throws: StudyError.emptyDescription) {
      try Study(description: "", optionDescriptions: ["A"])
    }
    #expect(throws: StudyError.negativeCount("A")) {
      try Study(description: "s", options: [StudyOption(description: "A", timesTaken: -1)])
    }
    var study = try Study(description: "s", optionDescriptions: ["A"])
    #expect(throws: StudyError.duplicateOption("B")) {
      try study.setOptions(withDescriptions: ["B", "B"])
    }
    #expect(throws: StudyError.emptyDescription) {
      try study.updateOption(StudyOption(description: ""))
    }
    #expect(throws: StudyError.negativeCount("B")) {
      try study.updateOption(StudyOption(description: "B", timesEncountered: -1))
    }
    let wasAdded = study.addOption(withDescription: "")
    #expect(!wasAdded)
    #expect(counts(study.options) == ["A 0/0"])
  }

  @Test("BE-6, BE-12: raising decides whether a count can be")
  func raising() throws {
    let study = try Study(
      description: "s",
      options: [
        StudyOption(description: "A", timesTaken: 5, timesEncountered: 1),
        StudyOption(description: "B", timesTaken: 0, timesEncountered: 5),
      ])
    #expect(counts(study.options) == ["A 5/5", "B 0/5"])
  }

  @Test("BE-14: if every encounter is a take the confidences add up to n ÷ (n + 1)")
  func sum() throws {
    var study = try Study(description: "s", optionDescriptions: ["A", "B", "C"])
    for n in 1...50 {
      try study.recordOptionTaken(withDescription: ["A", "B", "C"][n * n % 3])
      let sum = study.predictions.reduce(0) { $0 + $1.confidence }
      #expect(abs(sum - Double(n) / Double(n + 1)) < 1e-12)
    }
  }

  @Test("BE-22, BE-24: an unknown description is refused, an unknown option value is added")
  func unknown() throws {
    var study = try Study(
      description: "s", options: [StudyOption(description: "A", timesEncountered: 3)])
    #expect(throws: StudyError.unknownOption("B")) {
      try study.recordOptionTaken(withDescription: "B")
    }
    try study.recordOptionTaken(StudyOption(description: "B", timesTaken: 1, timesEncountered: 2))
    #expect(counts(study.options) == ["A 0/4", "B 2/4"])
    let odd = StudyOption(description: "C", timesTaken: 9, timesEncountered: 2)
    #expect(throws: StudyError.takenExceedsEncountered("C", taken: 9, encountered: 4)) {
      try study.recordOptionTaken(odd)
    }
    #expect(counts(study.options) == ["A 0/4", "B 2/4"])
  }

  @Test("BE-10: confidence stays below 1 and counts stay at the largest number")
  func largest() throws {
    var study = try Study(
      description: "s",
      options: [StudyOption(description: "A", timesTaken: .max, timesEncountered: .max)])
    try study.recordOptionTaken(withDescription: "A")
    study.recordEncounter()
    #expect(study.options.first?.timesTaken == .max)
    #expect(try #require(study.mostLikelyPrediction()).confidence < 1)
  }

  @Test("BE-47: an update dates only what it changes")
  func dated() throws {
    let day = { (number: Double) in Timestamp(microseconds: Int64(number * 86_400e6)) }
    var study = try Study(
      description: "s",
      options: [
        StudyOption(description: "A", timesTaken: 2, timesEncountered: 4),
        StudyOption(description: "B"),
      ], predictor: .halfLife(days: 1), at: day(0))
    try study.updateOption(
      StudyOption(description: "B", timesTaken: 3, timesEncountered: 4), at: day(2))
    // A: 2 takes and 4 encounters of two days ago; B: 3 and 4 of now.
    let confidences = study.predictions(at: day(2)).map(\.confidence)
    let expected: [Double] = [0.5 / 2, 3.0 / 5]
    #expect(confidences == expected)
    // A definition that is lower begins anew.
    study.removeOption(withDescription: "A")
    try study.updateOption(
      StudyOption(description: "B", timesTaken: 1, timesEncountered: 1), at: day(3))
    #expect(study.predictions(at: day(4)).map(\.confidence) == [0.5 / 1.5])
  }

  @Test("a study survives as JSON, with what its predictor learned")
  func json() throws {
    var study = try Study(
      description: "s", optionDescriptions: ["A", "B"], predictor: .markov(order: 2))
    for name in ["A", "B", "A", "B", "A"] { try study.recordOptionTaken(withDescription: name) }
    let data = try JSONEncoder().encode(study)
    let again = try JSONDecoder().decode(Study.self, from: data)
    #expect(again == study)
    #expect(again.predictions == study.predictions)
    #expect(again.predictor == study.predictor)
  }

  @Test(
    "a study that cannot be is refused",
    arguments: [
      #"{"options":[]}"#, #"{"description":"","options":[]}"#, #"{"description":"s"}"#,
      #"{"description":"s","options":[{"description":"A","timesTaken":1,"timesEncountered":0}]}"#,
      #"{"description":"s","options":[],"learning":{"predictor":"uniform","memory":{"optionCount":1}}}"#,
    ])
  func damaged(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Study.self, from: Data(json.utf8))
    }
  }
}
