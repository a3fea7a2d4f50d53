import DecidingCore
import Events
import Prediction
import Testing

@testable import DecidingStudies

@Suite("Studies: replay of logs from elsewhere")
struct StudiesReplayTests {
  private func event(_ payload: Payload, unit: UnitID = "u", day: Double = 0) -> Event {
    Event(time: Timestamp(microseconds: Int64(day * 86_400e6)), unit: unit, payload: payload)
  }

  private func take(_ value: AttributeValue?, in study: String? = "s") -> Payload {
    .dataPoint(DataPoint(kind: "optionTaken", key: study, value: value))
  }

  private func encounter(_ value: AttributeValue? = nil, in study: String = "s") -> Payload {
    .dataPoint(DataPoint(kind: "optionEncountered", key: study, value: value))
  }

  private func configured(_ json: String?, _ reason: String? = "defined", in study: String = "s")
    -> Payload
  {
    .configurationApplied(
      ConfigurationApplied(
        system: "studies", experiment: ExperimentID(study), reason: reason,
        configuration: json.map(JSONText.init(validated:))))
  }

  private func options(_ rows: (String, Int, Int)...) -> String {
    let options = rows.map {
      #"{"description":"\#($0.0)","timesEncountered":\#($0.2),"timesTaken":\#($0.1)}"#
    }
    return #"{"options":[\#(options.joined(separator: ","))]}"#
  }

  private func state(_ payloads: Payload...) -> StudiesState {
    var state = StudiesState(unit: "u")
    for payload in payloads { state.apply(event(payload)) }
    return state
  }

  @Test("a take of an unknown study or option creates it")
  func lenient() {
    let state = state(take("A"), take("B"), encounter(), take("A"), take("X", in: "t"))
    #expect(state.all.map(\.description) == ["s", "t"])
    #expect(counts(state.study("s")?.options) == ["A 2/4", "B 1/4"])
    #expect(counts(state.study("t")?.options) == ["X 1/1"])
  }

  @Test("an encounter is one of the whole study, with or without a value")
  func encounters() {
    let state = state(encounter(), take("A"), encounter("A"), encounter("B"), encounter())
    #expect(counts(state.study("s")?.options) == ["A 1/4"])
  }

  @Test("options that were written as numbers or truth values are their texts")
  func values() {
    let state = state(take(1), take(2.5), take(true), take(.integer(.max)), take("1"))
    #expect(
      counts(state.study("s")?.options) == [
        "1 2/5", "2.5 1/5", "true 1/5", "9223372036854775807 1/5",
      ])
  }

  @Test("what fits nothing changes nothing")
  func ignored() {
    let known = state(configured(options(("A", 1, 2))))
    var changed = known
    let payloads: [Payload] = [
      take(nil), take(""), take("A", in: nil), take("A", in: ""), encounter(in: "t"),
      encounter(in: ""),
      configured(nil), configured("{}"), configured("7"), configured(#"{"options":[{}]}"#),
      configured(options(("A", 1, 2), ("A", 1, 2))), configured(options(("", 1, 2))),
      configured(options(("A", 3, 2))), configured(options(("A", -1, 2))),
      configured(options(("A", 0, 0)), in: ""), configured("null", in: "t"),
      .configurationApplied(
        ConfigurationApplied(
          system: "agents", experiment: "s", configuration: JSONText(validated: options()))),
      .configurationApplied(
        ConfigurationApplied(system: "studies", configuration: JSONText(validated: options()))),
      .decision(Decision(experiment: "s", variant: "A")), .goal(Goal(experiment: "s", goal: "g")),
      .sessionExpired(SessionExpired(experiment: "s")),
      .assignmentRemoved(AssignmentRemoved(experiment: "s")),
    ]
    for payload in payloads {
      changed.apply(event(payload))
      #expect(changed == known, "\(payload)")
    }
    let point = Payload.dataPoint(DataPoint(kind: "interest", key: "s", value: "A"))
    changed.apply(event(point, unit: "v"))
    changed.apply(event(take("A"), unit: "v"))
    changed.apply(event(take("A"), unit: ""))
    changed.apply(event(configured(options(("B", 0, 0))), unit: "v"))
    #expect(changed == known)
    changed.apply(event(point))
    #expect(changed != known && changed.all == known.all, "it is known of the unit, in no count")
  }

  @Test("a definition without a reason, or with one of a later version, defines")
  func reasons() {
    let first = state(configured(options(("A", 1, 2)), nil))
    #expect(counts(first.study("s")?.options) == ["A 1/2"])
    let second = state(
      configured(options(("A", 1, 2))), configured(options(("B", 0, 0)), "rewritten"))
    #expect(counts(second.study("s")?.options) == ["B 0/0"])
  }

  @Test("counts that were not raised are raised; a change of an unknown study defines it")
  func raised() {
    let state = state(configured(options(("A", 1, 2), ("B", 3, 1), ("C", 0, 5)), "option-added"))
    #expect(counts(state.study("s")?.options) == ["A 1/5", "B 3/5", "C 0/5"])
  }

  @Test("null removes the study")
  func removed() {
    let state = state(
      configured(options(("A", 1, 2))), take("X", in: "t"), configured("null", "gone"))
    #expect(state.all.map(\.description) == ["t"])
  }

  @Test("an event that moves options begins the study anew")
  func moved() {
    let state = state(
      configured(options(("A", 1, 2), ("B", 0, 2))), take("A"),
      configured(options(("B", 1, 3), ("A", 2, 3)), "option-updated"))
    #expect(counts(state.study("s")?.options) == ["B 1/3", "A 2/3"])
  }

  @Test("BE-47: the counts of a definition are dated at its event")
  func dated() throws {
    let definition = event(configured(options(("A", 3, 4), ("B", 0, 4))), day: 10)
    let world = ManualWorld()
    world.time.advance(seconds: 11 * 86_400)
    let studies = Studies(
      unit: "u", surroundings: world.surroundings, predictor: try .halfLife(days: 1),
      replaying: [definition])
    #expect(try studies.predictions(in: "s").map(\.confidence) == [0.5, 0])
  }

  @Test("a state of nobody takes nothing, and a restored front goes on from its position")
  func positions() throws {
    var nobody = StudiesState()
    nobody.apply(event(take("A")))
    #expect(nobody == StudiesState())
    let world = ManualWorld()
    let events = [event(take("A")), event(take("A"), unit: "v"), event(take("B"))]
    let studies = Studies(unit: "u", surroundings: world.surroundings, replaying: events.prefix(2))
    #expect(studies.snapshot().hasPrefix(#"{"position":2,"#))
    let restored = try Studies(
      unit: "u", surroundings: world.surroundings, restoring: studies.snapshot(),
      replaying: events.suffix(1))
    #expect(restored.snapshot().hasPrefix(#"{"position":3,"#))
    #expect(counts(restored["s"]?.options) == ["A 1/2", "B 1/2"])
  }
}
