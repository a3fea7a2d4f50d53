import Deciding
import Events
import Prediction
import TestSupport
import Testing
import Threads

/// The examples of the article of this name.
@Suite("Coming from Beauchamp")
struct ComingFromBeauchamp {
  private let world = ManualWorld()
  private let shown = Monitor<[String]>([])

  private var surroundings: Surroundings { world.surroundings }

  private func show(_ text: String) { shown.withLock { $0.append(text) } }

  private func tabs(_ takes: String...) throws -> Studies {
    let studies = Studies(unit: "user-7", surroundings: surroundings)
    let names = ["Photos Tab", "Messages Tab", "Settings Tab"]
    try studies.define(Study(description: "Tabs", optionDescriptions: names))
    for name in takes { try studies.recordOptionTaken(withDescription: name, in: "Tabs") }
    return studies
  }

  @Test("make options and a study")
  func making() throws {
    let option1 = StudyOption(description: "Photos Tab")
    let option2 = StudyOption(description: "Messages Tab")
    let option3 = StudyOption(description: "Settings Tab")
    let tabStudy = try Study(description: "Tabs", options: [option1, option2, option3])
    #expect(tabStudy.predictions.map(\.option) == [option1, option2, option3])
    #expect(tabStudy.mostLikelyPrediction()?.option == option1)
    #expect(throws: StudyError.duplicateOption("Photos Tab")) {
      try Study(description: "Tabs", options: [option1, option1])
    }
    #expect(throws: StudyError.takenExceedsEncountered("A", taken: 1, encountered: 0)) {
      try Study(description: "Tabs", options: [StudyOption(description: "A", timesTaken: 1)])
    }
    let roomStudy = try Study(
      description: "Rooms", optionDescriptions: ["General", "Swift", "Cooking"])
    #expect(roomStudy.options.allSatisfy { $0.timesEncountered == 0 })
    #expect(world.events.isEmpty)
  }

  @Test("keep the studies")
  func keeping() throws {
    let names = ["Photos Tab", "Messages Tab", "Settings Tab"]
    let tabStudy = try Study(description: "Tabs", optionDescriptions: names)
    #expect(Studies(unit: "user-7", surroundings: surroundings).all.isEmpty)
    let before = try tabs("Messages Tab")
    let savedEvents = world.events
    let studies = Studies(unit: "user-7", surroundings: surroundings, replaying: savedEvents)
    if studies["Tabs"] == nil {
      try studies.define(tabStudy)
    }
    #expect(studies["Tabs"] == before["Tabs"])
    #expect(world.events.count == savedEvents.count)
    try recover(studies)
    try studies.define(tabStudy)
    #expect(studies["Tabs"]?.options.first?.timesEncountered == 0)
  }

  private func recover(_ studies: Studies) throws {
    let snapshot = studies.snapshot()
    let count = world.events.count
    try studies.recordEncounter(in: "Tabs")
    let newerEvents = world.events.dropFirst(count)
    let restored = try Studies(
      unit: "user-7", surroundings: surroundings, restoring: snapshot, replaying: newerEvents)
    #expect(restored["Tabs"] == studies["Tabs"])
    #expect(restored.snapshot() == studies.snapshot())
    let archived =
      #"[{"description":"Old","options":[{"description":"A","timesEncountered":3,"timesTaken":2}]}]"#
    let records = try StudyRecords(parsing: archived)
    for study in records.studies { try studies.define(study) }
    #expect(studies["Old"]?.options.first?.timesTaken == 2)
    let damaged = snapshot.replacing(#""timesTaken":1"#, with: #""timesTook":1"#)
    #expect(throws: StudyError.self) {
      try Studies(unit: "user-7", surroundings: surroundings, restoring: damaged)
    }
    let rest = try Studies(
      unit: "user-7", surroundings: surroundings, restoring: damaged, skippingInvalid: true)
    #expect(rest.all.isEmpty && rest.leftOut.count == 1)
  }

  @Test("record what the user does, and change the options")
  func recording() throws {
    let studies = try tabs()
    try studies.recordOptionTaken(withDescription: "Messages Tab", in: "Tabs")
    try studies.recordEncounter(in: "Tabs")
    #expect(
      counts(studies["Tabs"]?.options) == [
        "Photos Tab 0/2", "Messages Tab 1/2", "Settings Tab 0/2",
      ])
    #expect(throws: StudyError.unknownOption("Calls Tab")) {
      try studies.recordOptionTaken(withDescription: "Calls Tab", in: "Tabs")
    }
    try studies.recordOptionTaken(StudyOption(description: "Calls Tab"), in: "Tabs")
    #expect(studies["Tabs"]?.option(withDescription: "Calls Tab")?.timesTaken == 1)
    world.sink.refuse(true)
    #expect(throws: StudyError.self) { try studies.recordEncounter(in: "Tabs") }
    world.sink.refuse(false)
    try studies.addOption(withDescription: "Search Tab", in: "Tabs")
    try studies.updateOption(
      StudyOption(description: "Photos Tab", timesTaken: 1, timesEncountered: 4), in: "Tabs")
    try studies.removeOption(withDescription: "Settings Tab", in: "Tabs")
    #expect(
      counts(studies["Tabs"]?.options) == [
        "Photos Tab 1/4", "Messages Tab 1/4", "Calls Tab 1/4", "Search Tab 0/4",
      ])
  }

  @Test("ask for a prediction")
  func asking() throws {
    let studies = try tabs("Messages Tab")
    if let prediction = try studies.mostLikelyPrediction(in: "Tabs", above: 0.5) {
      show(prediction.option.description)
    }
    #expect(shown.withLock { $0 }.isEmpty)
    try studies.recordOptionTaken(withDescription: "Messages Tab", in: "Tabs")
    if let prediction = try studies.mostLikelyPrediction(in: "Tabs", above: 0.5) {
      show(prediction.option.description)
    }
    #expect(shown.withLock { $0 } == ["Messages Tab"])
    let best = try studies.rankedPredictions(in: "Tabs", limit: 2)
    #expect(best.map(\.option.description) == ["Messages Tab", "Photos Tab"])
    #expect(best.map(\.reason) == [.counts, .tie])
    try studies.define(Study(description: "Rooms", optionDescriptions: ["General", "Swift"]))
    #expect(try studies.mostLikelyPrediction(in: "Rooms")?.reason == .blind)
    var trial = try #require(studies["Rooms"])
    try trial.recordOptionTaken(withDescription: "Swift")
    #expect(trial.mostLikelyPrediction()?.option.description == "Swift")
    #expect(studies["Rooms"]?.mostLikelyPrediction()?.option.description == "General")
  }

  @Test("observe changes")
  func hearing() async throws {
    let studies = try tabs()
    try studies.addOption(withDescription: "Search Tab", in: "Tabs")
    let changes = studies.changes
    try studies.recordOptionTaken(withDescription: "Search Tab", in: "Tabs")
    for await change in changes {
      show("\(change.study): \(change.action)")
      break
    }
    #expect(shown.withLock { $0 } == ["Tabs: optionTaken"])
  }

  @Test("weigh recent behaviour more heavily, and look at what followed")
  func predicting() throws {
    _ = try tabs("Photos Tab", "Messages Tab", "Photos Tab")
    let savedEvents = world.events
    world.time.advance(seconds: 5 * 86_400)
    let fading = Studies(
      unit: "user-7", surroundings: surroundings, predictor: try .halfLife(days: 5),
      replaying: savedEvents)
    #expect(try fading.mostLikelyPrediction(in: "Tabs")?.confidence == 1 / 2.5)
    let following = Studies(
      unit: "user-7", surroundings: surroundings, predictor: try .markov(order: 1),
      replaying: savedEvents)
    #expect(
      try following.mostLikelyPrediction(in: "Tabs")?.option.description == "Messages Tab")
    let counting = Studies(unit: "user-7", surroundings: surroundings, replaying: savedEvents)
    #expect(try counting.mostLikelyPrediction(in: "Tabs")?.option.description == "Photos Tab")
  }

  @Test("measure your own influence")
  func acting() throws {
    let studies = try tabs("Messages Tab")
    let suggestion = try studies.suggestion(in: "Tabs", above: 0.2)
    if let prediction = suggestion.prediction {
      try studies.act(on: prediction, in: "Tabs")
    }
    guard case .decision(let decision) = world.events.last?.payload else {
      Issue.record("acting records a decision")
      return
    }
    #expect(decision.variant == "Messages Tab" && decision.reason == "predicted")
    try studies.force("Settings Tab", in: "Tabs")
    #expect(try studies.suggestion(in: "Tabs").reason == .forced)
    let held = Studies(
      unit: "user-7", surroundings: surroundings,
      restrictions: Restrictions(holdout: Holdout(name: "not led", share: 1)),
      replaying: world.events.prefix(2))
    #expect(try held.suggestion(in: "Tabs").reason == .holdout)
  }
}
