import DecidingCore
import Events
import Prediction
import Testing

@testable import DecidingStudies

@Suite("Studies: rules")
struct StudiesRuleTests {
  @Test("BE-T16, BE-32: making a study tells nobody; defining it gives one notice and one event")
  func definition() async throws {
    let world = ManualWorld()
    let studies = Studies(unit: "u", surroundings: world.surroundings)
    let changes = studies.changes
    let study = try Study(description: "s", optionDescriptions: ["A", "B"])
    #expect(world.events.isEmpty)
    try studies.define(study)
    #expect(world.events.count == 1)
    #expect(studies["s"] == study)
    let applied = ConfigurationApplied(
      system: "studies", experiment: "s", reason: "defined", changed: ["options"],
      configuration: JSONText(
        validated: #"{"options":[{"description":"A","timesEncountered":0,"timesTaken":0},"#
          + #"{"description":"B","timesEncountered":0,"timesTaken":0}]}"#))
    #expect(world.events.first?.payload == .configurationApplied(applied))
    #expect(world.events.first?.unit == "u")
    let notices = await notices(of: changes, ending: studies)
    #expect(
      notices == [
        StudyChange(study: "s", options: options(("A", 0, 0), ("B", 0, 0)), action: .defined)
      ])
  }

  /// Lets the front end the stream with a last change, and gives what came before it.
  private func notices(of changes: AsyncStream<StudyChange>, ending studies: Studies) async
    -> [StudyChange]
  {
    try? studies.define(Study(description: "the end", optionDescriptions: ["."]))
    var notices: [StudyChange] = []
    for await change in changes {
      if change.study == "the end" { break }
      notices.append(change)
    }
    return notices
  }

  @Test("BE-T17: two studies come back from the log with the same counts")
  func replay() throws {
    let world = ManualWorld()
    let studies = Studies(unit: "u", surroundings: world.surroundings)
    let first = try Study(
      description: "one", options: options(("A", 4, 9), ("B", 3, 9), ("C", 2, 9)))
    let second = try Study(description: "two", options: options(("A", 50, 100), ("B", 50, 100)))
    try studies.define(first)
    try studies.define(second)
    let replayed = world.replayed()
    #expect(replayed.all == [first, second])
    #expect(counts(replayed["one"]?.options) == ["A 4/9", "B 3/9", "C 2/9"])
    try studies.expectRebuilt(in: world)
  }

  @Test("BE-T18, BE-39: defining again replaces the study and its history")
  func again() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B", by: .last)
    try studies.recordOptionTaken(withDescription: "B", in: "s")
    try studies.define(Study(description: "other", optionDescriptions: ["X"]))
    try studies.define(Study(description: "s", optionDescriptions: ["B", "A"]))
    #expect(studies.all.map(\.description) == ["s", "other"])
    #expect(counts(studies["s"]?.options) == ["B 0/0", "A 0/0"])
    #expect(try studies.predictions(in: "s").allSatisfy { $0.reason == .blind })
    try studies.expectRebuilt(in: world)
  }

  @Test("BE-33: each call that changes something gives one notice, the others none")
  func notices() async throws {
    let world = ManualWorld()
    let studies = Studies(unit: "u", surroundings: world.surroundings)
    let changes = studies.changes
    let study = try Study(description: "s", optionDescriptions: ["A", "B"])
    try studies.define(study)
    try studies.define(study)
    try studies.recordOptionTaken(withDescription: "A", in: "s")
    try studies.recordOptionTaken(
      StudyOption(description: "C", timesTaken: 2, timesEncountered: 5), in: "s")
    try studies.recordEncounter(in: "s")
    #expect(try studies.addOption(withDescription: "D", in: "s"))
    #expect(try !studies.addOption(withDescription: "D", in: "s"))
    try studies.updateOption(StudyOption(description: "D", timesTaken: 1), in: "s")
    try studies.updateOption(StudyOption(description: "D", timesTaken: 1), in: "s")
    #expect(try studies.removeOption(withDescription: "A", in: "s"))
    #expect(try !studies.removeOption(withDescription: "A", in: "s"))
    try studies.setOptions(withDescriptions: ["E"], in: "s")
    try studies.setOptions(withDescriptions: ["E"], in: "s")
    try studies.force("E", in: "s")
    try studies.force("E", in: "s")
    try studies.unforce(in: "s")
    try studies.unforce(in: "s")
    let best = try #require(try studies.mostLikelyPrediction(in: "s"))
    try studies.act(on: best, in: "s")
    #expect(try studies.remove("s"))
    #expect(try !studies.remove("s"))
    let told = await self.notices(of: changes, ending: studies)
    #expect(
      told.map(\.action) == [
        .defined, .optionTaken, .optionTaken, .encountered, .optionAdded, .optionUpdated,
        .optionRemoved, .optionsReplaced, .forced, .unforced, .removed,
      ])
    #expect(counts(told[2].options) == ["A 1/6", "B 0/6", "C 3/6"])
    #expect(counts(told[5].options) == ["A 1/7", "B 0/7", "C 3/7", "D 1/7"])
    #expect(counts(told[6].options) == ["B 0/7", "C 3/7", "D 1/7"])
    #expect(told.last?.options.isEmpty == true)
    // One event each, two for the take that added its option, one for the decision, and one for the end.
    #expect(world.events.count == 14)
    try studies.expectRebuilt(in: world)
  }

  @Test("BE-V10, BE-V11: events of takes, encounters and additions")
  func events() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B", "C")
    try studies.recordOptionTaken(withDescription: "B", in: "s")
    try studies.recordEncounter(in: "s")
    #expect(
      world.events.dropFirst().map(\.payload) == [
        .dataPoint(DataPoint(kind: "optionTaken", key: "s", value: "B")),
        .dataPoint(DataPoint(kind: "optionEncountered", key: "s")),
      ])
    try studies.recordOptionTaken(StudyOption(description: "D"), in: "s")
    #expect(world.events.count == 5)
    guard case .configurationApplied(let applied) = world.events[3].payload else {
      Issue.record("the option is updated before it is taken")
      return
    }
    #expect(applied.reason == "option-updated")
    #expect(applied.changed == ["D"])
    #expect(counts(studies["s"]?.options) == ["A 0/3", "B 1/3", "C 0/3", "D 1/3"])
    try studies.expectRebuilt(in: world)
  }

  @Test("BE-23: of an option that is a member only the description is used")
  func stale() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B")
    let stale = try #require(studies["s"]?.option(withDescription: "A"))
    for _ in 0..<3 { try studies.recordOptionTaken(stale, in: "s") }
    #expect(counts(studies["s"]?.options) == ["A 3/3", "B 0/3"])
    #expect(stale.timesTaken == 0)
  }

  @Test("BE-26: an encounter of a study without options changes nothing")
  func empty() throws {
    let world = ManualWorld()
    let studies = try world.studies()
    try studies.recordEncounter(in: "s")
    #expect(world.events.count == 1)
    #expect(try studies.mostLikelyPrediction(in: "s") == nil)
    #expect(try studies.addOption(withDescription: "A", in: "s"))
    #expect(counts(studies["s"]?.options) == ["A 0/0"])
    #expect(try studies.removeOption(withDescription: "A", in: "s"))
    try studies.recordEncounter(in: "s")
    #expect(studies["s"]?.options == [])
    try studies.expectRebuilt(in: world)
  }

  @Test(
    "BE-8, BE-27: an option that is removed and added again begins anew, at the study's encounters")
  func removed() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B", "C")
    for name in ["A", "B", "A"] { try studies.recordOptionTaken(withDescription: name, in: "s") }
    try studies.removeOption(withDescription: "A", in: "s")
    try studies.addOption(withDescription: "A", in: "s")
    #expect(counts(studies["s"]?.options) == ["B 1/3", "C 0/3", "A 0/3"])
    try studies.expectRebuilt(in: world)
  }

  @Test("BE-V12, BE-45: ranked, ties in declared order, each with its reason")
  func ranked() throws {
    let world = ManualWorld()
    let studies = Studies(unit: "u", surroundings: world.surroundings)
    try studies.define(
      Study(description: "s", options: options(("X", 1, 4), ("Y", 3, 4), ("Z", 1, 4))))
    for front in [studies, world.replayed()] {
      let ranked = try front.rankedPredictions(in: "s")
      #expect(ranked.map(\.option.description) == ["Y", "X", "Z"])
      #expect(ranked.map(\.reason) == [.counts, .tie, .tie])
      #expect(try front.rankedPredictions(in: "s", limit: 1).map(\.option.description) == ["Y"])
      #expect(try front.rankedPredictions(in: "s", limit: -1).isEmpty)
    }
  }

  @Test("BE-20: a threshold that is no number is never exceeded")
  func oddThreshold() throws {
    let studies = try ManualWorld().studies("A")
    #expect(try studies.mostLikelyPrediction(in: "s", above: .nan) == nil)
    #expect(try studies.mostLikelyPrediction(in: "s", above: -1)?.confidence == 0)
  }

  @Test("BE-38: studies of an empty log are an empty list")
  func nothing() throws {
    let studies = Studies(unit: "u", surroundings: ManualWorld().surroundings)
    #expect(studies.all.isEmpty)
    #expect(studies["s"] == nil)
  }

  @Test("BE-42: nothing comes from a hash value: snapshots of the same log are the same text")
  func stable() throws {
    let world = ManualWorld()
    let studies = Studies(
      unit: "u", surroundings: world.surroundings, predictor: try .ppm(order: 2))
    for name in ["z", "a", "m", "é", "b"] {
      try studies.define(Study(description: name, optionDescriptions: ["2", "1", name]))
      for option in ["1", name, "1", "2"] {
        try studies.recordOptionTaken(withDescription: option, in: name)
      }
    }
    #expect(studies.all.map(\.description) == ["z", "a", "m", "é", "b"])
    #expect(world.replayed(try .ppm(order: 2)).snapshot() == studies.snapshot())
    #expect(studies.snapshot().hasPrefix(#"{"position":25,"state":{"overrides":{"variants":{}},"#))
  }

  @Test("BE-43: events of another unit change nothing, those of everyone define")
  func units() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B")
    try studies.recordOptionTaken(withDescription: "A", in: "s")
    #expect(world.replayed(unit: "v").all.isEmpty)
    var events = world.events
    for index in events.indices { events[index].unit = "" }
    let everyone = Studies(unit: "v", surroundings: world.surroundings, replaying: events)
    #expect(counts(everyone["s"]?.options) == ["A 0/0", "B 0/0"])
  }

  @Test("BE-54: what two devices recorded is counted once, told apart by event ids")
  func merged() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B")
    try studies.recordOptionTaken(withDescription: "A", in: "s")
    let shared = world.events
    try studies.recordOptionTaken(withDescription: "B", in: "s")
    var seen: Set<EventID> = []
    let merged = (shared + world.events).filter { $0.id.map { seen.insert($0).inserted } ?? false }
    let replayed = Studies(unit: "u", surroundings: world.surroundings, replaying: merged)
    #expect(replayed.state == studies.state)
  }
}
