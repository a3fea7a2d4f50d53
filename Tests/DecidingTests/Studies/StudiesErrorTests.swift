import DecidingCore
import Events
import Prediction
import Testing

@testable import DecidingStudies

@Suite("Studies: errors")
struct StudiesErrorTests {
  @Test(
    "every message says what, where, and how to mend it",
    arguments: [
      (StudyError.emptyDescription, ["descriptions", "give one"]),
      (StudyError.reservedKind("optionTaken"), ["\"optionTaken\"", "recordOptionTaken"]),
      (.duplicateOption("A"), ["\"A\"", "twice", "give each option"]),
      (.unknownOption("A"), ["no option \"A\"", "add it"]),
      (.unknownStudy("s"), ["no study \"s\"", "define it first"]),
      (
        .takenExceedsEncountered("A", taken: 2, encountered: 1),
        ["\"A\"", "2 times in 1", "count an encounter for every take"]
      ),
      (.negativeCount("A"), ["\"A\"", "begin at 0"]),
      (.notRecorded("full"), ["full", "nothing has changed", "mend the sink"]),
      (.invalidSnapshot("it is empty"), ["it is empty", "snapshot or record"]),
    ] as [(StudyError, [String])])
  func messages(error: StudyError, parts: [String]) {
    for part in parts { #expect(error.description.contains(part), "\(error)") }
  }

  @Test("every call on an unknown study is refused")
  func unknownStudy() throws {
    let world = ManualWorld()
    let studies = Studies(unit: "u", surroundings: world.surroundings)
    let prediction = StudyPrediction(option: StudyOption(description: "A"), confidence: 0)
    let calls: [() throws -> Void] = [
      { try studies.recordOptionTaken(withDescription: "A", in: "s") },
      { try studies.recordOptionTaken(StudyOption(description: "A"), in: "s") },
      { try studies.recordEncounter(in: "s") },
      { _ = try studies.addOption(withDescription: "A", in: "s") },
      { _ = try studies.removeOption(withDescription: "A", in: "s") },
      { try studies.setOptions(withDescriptions: [], in: "s") },
      { try studies.updateOption(StudyOption(description: "A"), in: "s") },
      { _ = try studies.predictions(in: "s") },
      { _ = try studies.rankedPredictions(in: "s") },
      { _ = try studies.mostLikelyPrediction(in: "s") },
      { _ = try studies.suggestion(in: "s") },
      { _ = try studies.preview(actingOn: prediction, in: "s") },
      { _ = try studies.act(on: prediction, in: "s") },
      { try studies.force("A", in: "s") },
      { try studies.unforce(in: "s") },
    ]
    for call in calls { #expect(throws: StudyError.unknownStudy("s")) { try call() } }
    #expect(world.events.isEmpty)
  }

  @Test("empty descriptions are refused")
  func empty() throws {
    let studies = try ManualWorld().studies("A")
    #expect(throws: StudyError.emptyDescription) {
      try studies.addOption(withDescription: "", in: "s")
    }
    #expect(throws: StudyError.emptyDescription) {
      try studies.recordOptionTaken(StudyOption(description: ""), in: "s")
    }
    #expect(throws: StudyError.emptyDescription) { try studies.force("", in: "s") }
  }

  @Test("G-5: when the sink refuses, nothing has changed and nobody is told")
  func refused() async throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B")
    let prediction = try #require(try studies.mostLikelyPrediction(in: "s"))
    let changes = studies.changes
    let before = studies.state
    world.sink.refuse(true)
    let calls: [() throws -> Void] = [
      { try studies.define(Study(description: "t", optionDescriptions: [])) },
      { try studies.recordOptionTaken(withDescription: "A", in: "s") },
      { try studies.recordOptionTaken(StudyOption(description: "C"), in: "s") },
      { try studies.recordEncounter(in: "s") },
      { _ = try studies.addOption(withDescription: "C", in: "s") },
      { _ = try studies.removeOption(withDescription: "A", in: "s") },
      { try studies.setOptions(withDescriptions: [], in: "s") },
      { try studies.updateOption(StudyOption(description: "A", timesEncountered: 1), in: "s") },
      { _ = try studies.remove("s") },
      { _ = try studies.act(on: prediction, in: "s") },
      { try studies.force("A", in: "s") },
    ]
    for call in calls {
      #expect {
        try call()
      } throws: {
        MoodySink.isRefusal($0)
      }
    }
    #expect(studies.state == before)
    #expect(world.events.count == 1)
    world.sink.refuse(false)
    try studies.recordEncounter(in: "s")
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next()?.action == .encountered)
    try studies.expectRebuilt(in: world)
  }

  @Test("BE-37: a snapshot that lacks a field is refused with its path, or left out and listed")
  func skipping() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B")
    try studies.define(Study(description: "t", optionDescriptions: ["X"]))
    let damaged = studies.snapshot().replacing(
      #"{"description":"B","timesEncountered":0,"timesTaken":0}"#,
      with: #"{"description":"B","timesEncountered":0}"#)
    let error = #expect(throws: StudyError.self) {
      try Studies(unit: "u", surroundings: world.surroundings, restoring: damaged)
    }
    #expect(error?.description.contains("studies.0.options.1") == true, "\(error as Any)")
    #expect(error?.description.contains("has no \"timesTaken\"") == true)
    let rest = try Studies(
      unit: "u", surroundings: world.surroundings, restoring: damaged, skippingInvalid: true)
    #expect(rest.all.map(\.description) == ["t"])
    #expect(rest.leftOut == [#"state.studies.0.options.1 has no "timesTaken""#])
  }

  @Test(
    "G-12: a snapshot of something else is refused",
    arguments: [
      ("{", "it is no JSON"), (#"{"position":0,"state":{},"version":1}"#, "names no system"),
      (#"{"position":0,"state":{},"system":"agents","version":1}"#, "it is of agents"),
      (#"{"position":0,"state":{},"system":"studies","version":2}"#, "version 2"),
      (#"{"position":-1,"state":{},"system":"studies","version":1}"#, "no position"),
      (#"{"position":0,"state":{},"system":"studies","version":1}"#, "has no \"unit\""),
    ])
  func snapshots(text: String, reason: String) {
    for isSkipping in [false, true] {
      let error = #expect(throws: StudyError.self) {
        try Studies(
          unit: "u", surroundings: ManualWorld().surroundings, restoring: text,
          skippingInvalid: isSkipping)
      }
      #expect(error?.description.contains(reason) == true, "\(error as Any)")
    }
  }

  @Test("a snapshot of another unit or predictor is refused")
  func strangers() throws {
    let world = ManualWorld()
    let snapshot = try world.studies("A").snapshot()
    #expect(
      throws: StudyError.invalidSnapshot("it is of the unit \"u\"; replay the log instead")
    ) {
      try Studies(unit: "v", surroundings: world.surroundings, restoring: snapshot)
    }
    #expect(
      throws: StudyError.invalidSnapshot(
        "it was taken with the predictor beauchamp; replay the log instead")
    ) {
      try Studies(
        unit: "u", surroundings: world.surroundings, predictor: .last, restoring: snapshot)
    }
  }

  @Test("a snapshot that has a study twice is refused")
  func twice() throws {
    let world = ManualWorld()
    let studies = try world.studies("A")
    try studies.define(Study(description: "t", optionDescriptions: ["A"]))
    let text = studies.snapshot().replacing(#""description":"t""#, with: #""description":"s""#)
    #expect(throws: StudyError.self) {
      try Studies(unit: "u", surroundings: world.surroundings, restoring: text)
    }
  }

  @Test(
    "BE-37: records that were kept elsewhere are read, refused with a path, or left out and listed")
  func records() throws {
    let good =
      #"{"description":"s","options":[{"description":"A","timesEncountered":2,"timesTaken":1}]}"#
    let records = try StudyRecords(parsing: "[\(good)]")
    #expect(records.studies.map(\.description) == ["s"])
    #expect(counts(records.studies.first?.options) == ["A 1/2"])
    let lacking =
      #"{"description":"t","options":[{"description":"A","timesTaken":1},{"description":"B","timesEncountered":0,"timesTaken":0}]}"#
    let text = #"[\#(good),\#(lacking),{"options":[]},7]"#
    let error = #expect(throws: StudyError.self) { try StudyRecords(parsing: text) }
    #expect(
      error?.description.contains(#"1.options.0 has no "timesEncountered""#) == true,
      "\(error as Any)")
    let rest = try StudyRecords(parsing: text, skippingInvalid: true)
    #expect(rest.studies.map(\.description) == ["s", "t"])
    #expect(counts(rest.studies.last?.options) == ["B 0/0"])
    #expect(
      rest.leftOut == [
        #"1.options.0 has no "timesEncountered""#, #"2 has no "description""#,
        "3 must be an object, not a number",
      ])
    #expect(throws: StudyError.self) { try StudyRecords(parsing: "{}") }
    #expect(throws: StudyError.self) { try StudyRecords(parsing: "") }
  }
}
