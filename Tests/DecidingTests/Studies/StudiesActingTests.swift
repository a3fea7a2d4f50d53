import DecidingCore
import Events
import Prediction
import Testing

@testable import DecidingStudies

@Suite("Studies: acting upon predictions")
struct StudiesActingTests {
  private func world(_ restrictions: Restrictions = Restrictions()) throws -> (ManualWorld, Studies) {
    let world = ManualWorld()
    let studies = Studies(
      unit: "u", surroundings: world.surroundings, restrictions: restrictions)
    try studies.define(
      Study(description: "s", options: options(("A", 1, 4), ("B", 3, 4), ("C", 0, 4))))
    return (world, studies)
  }

  private func lastDecision(_ world: ManualWorld) -> Decision? {
    guard case .decision(let decision) = world.events.last?.payload else { return nil }
    return decision
  }

  @Test("BE-52: acting records a decision, and changes no study")
  func act() throws {
    let (world, studies) = try world()
    let before = studies.state
    let prediction = try #require(try studies.mostLikelyPrediction(in: "s", above: 0.5))
    let suggestion = try studies.act(on: prediction, in: "s")
    #expect(suggestion.prediction == prediction)
    #expect(suggestion.reason == .predicted)
    #expect(
      lastDecision(world)
        == Decision(
          experiment: "s", variant: "B", choices: ["A", "B", "C"], propensity: 1,
          policy: "beauchamp", reason: "predicted", status: .confirmed))
    #expect(studies.state == before)
    try studies.expectRebuilt(in: world)
  }

  @Test("G-22, G-23: suggestion and preview say what acting would, and record nothing")
  func preview() throws {
    let (world, studies) = try world()
    let suggestion = try studies.suggestion(in: "s", above: 0.5)
    let prediction = try #require(suggestion.prediction)
    #expect(prediction.option.description == "B")
    #expect(suggestion.policy == "beauchamp" && suggestion.propensity == 1)
    #expect(try studies.preview(actingOn: prediction, in: "s") == suggestion)
    #expect(world.events.count == 1)
    #expect(try studies.act(on: prediction, in: "s") == suggestion)
    let none = try studies.suggestion(in: "s", above: 0.9)
    #expect(none.prediction == nil && none.reason == .conditions && none.status == nil)
    try studies.setOptions(withDescriptions: [], in: "s")
    #expect(try studies.suggestion(in: "s").reason == .noDrawableVariant)
  }

  @Test("G-20: an override leads to its option, whatever the threshold, and is recorded as forced")
  func forced() throws {
    let (world, studies) = try world()
    let prediction = try #require(try studies.mostLikelyPrediction(in: "s"))
    try studies.force("C", in: "s")
    for front in [studies, world.replayed()] {
      let suggestion = try front.suggestion(in: "s", above: 0.99)
      #expect(suggestion.prediction?.option.description == "C")
      #expect(suggestion.prediction?.reason == .forced)
      #expect(suggestion.prediction?.confidence == 0)
      #expect(suggestion.reason == .forced)
      #expect(try front.mostLikelyPrediction(in: "s") == prediction)
    }
    try studies.act(on: prediction, in: "s")
    #expect(lastDecision(world)?.variant == "C")
    #expect(lastDecision(world)?.reason == "forced")
    #expect(lastDecision(world)?.propensity == 1)
    try studies.unforce(in: "s")
    #expect(try studies.suggestion(in: "s").prediction == prediction)
    try studies.expectRebuilt(in: world)
  }

  @Test("G-20: an override to an option that is not there is ignored with a warning")
  func warned() throws {
    let (world, studies) = try world()
    try studies.force("Z", in: "s")
    let suggestion = try studies.suggestion(in: "s")
    #expect(suggestion.prediction?.option.description == "B")
    #expect(suggestion.warning?.contains("\"Z\" is forced in \"s\"") == true)
    try studies.addOption(withDescription: "Z", in: "s")
    #expect(try studies.suggestion(in: "s").prediction?.option.description == "Z")
    #expect(try studies.suggestion(in: "s").warning == nil)
    try studies.expectRebuilt(in: world)
  }

  @Test("G-20: an override of everyone holds for the unit, and stays when its own ends")
  func everyone() throws {
    let (world, studies) = try world()
    try studies.force("C", in: "s")
    var events = world.events
    for index in events.indices { events[index].unit = "" }
    let front = Studies(unit: "v", surroundings: world.surroundings, replaying: events)
    #expect(try front.suggestion(in: "s").prediction?.option.description == "C")
    try front.force("A", in: "s")
    #expect(try front.suggestion(in: "s").prediction?.option.description == "A")
    try front.unforce(in: "s")
    try front.unforce(in: "s")
    #expect(try front.suggestion(in: "s").prediction?.option.description == "C")
    #expect(world.events.count == 4)
  }

  @Test(
    "G-18, G-19, G-21: a unit that is kept out is left alone, and acting is recorded as excluded",
    arguments: [
      (Restrictions(holdout: Holdout(name: "h", share: 1)), Reason.holdout),
      (
        Restrictions(groups: [ExclusionGroup(name: "g", members: ["s", "t"])]),
        Reason.exclusionGroup
      ),
      (
        Restrictions(schedules: ["s": Schedule(from: Timestamp(microseconds: 1))]),
        Reason.outsideSchedule
      ),
    ])
  func excluded(restrictions: Restrictions, reason: Reason) throws {
    var (world, studies) = try world(restrictions)
    if reason == .exclusionGroup {
      // Find a unit that belongs to the other member.
      let group = restrictions.groups[0]
      let unit = try #require(
        (0..<100).map { "u\($0)" }.first { group.member(for: UnitID($0)) == "t" })
      world = ManualWorld()
      studies = Studies(unit: unit, surroundings: world.surroundings, restrictions: restrictions)
      try studies.define(Study(description: "s", optionDescriptions: ["A", "B"]))
    }
    let suggestion = try studies.suggestion(in: "s")
    #expect(suggestion.prediction == nil)
    #expect(suggestion.reason == reason && suggestion.status == .excluded)
    let prediction = try #require(try studies.mostLikelyPrediction(in: "s"))
    #expect(try studies.act(on: prediction, in: "s") == suggestion)
    #expect(lastDecision(world)?.variant == "A")
    #expect(lastDecision(world)?.status == .excluded)
    #expect(lastDecision(world)?.reason == reason.rawValue)
    try studies.force("B", in: "s")
    #expect(try studies.suggestion(in: "s").reason == .forced)
  }

  @Test("a prediction of an option that has gone is refused")
  func gone() throws {
    let (world, studies) = try world()
    let prediction = try #require(try studies.mostLikelyPrediction(in: "s"))
    try studies.removeOption(withDescription: "B", in: "s")
    let count = world.events.count
    #expect(throws: StudyError.unknownOption("B")) { try studies.act(on: prediction, in: "s") }
    #expect(throws: StudyError.unknownOption("B")) {
      try studies.preview(actingOn: prediction, in: "s")
    }
    #expect(world.events.count == count)
  }

  @Test("predictions fade with the clock of the world")
  func clock() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", by: .halfLife(days: 1))
    try studies.recordOptionTaken(withDescription: "A", in: "s")
    #expect(try studies.mostLikelyPrediction(in: "s")?.confidence == 0.5)
    world.time.advance(seconds: 86_400)
    #expect(try studies.mostLikelyPrediction(in: "s")?.confidence == 0.5 / 1.5)
    #expect(try studies.predictions(in: "s").map(\.confidence) == [0.5 / 1.5])
    #expect(try studies.rankedPredictions(in: "s").map(\.confidence) == [0.5 / 1.5])
  }
}
