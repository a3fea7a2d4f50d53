import Events
import Testing

@Suite("Identifiers")
struct IdentifiersTests {
  @Test("are compared by their bytes, without Unicode normalisation")
  func bytes() {
    let (composed, decomposed) = (VariantID("\u{E9}"), VariantID("e\u{301}"))
    #expect(composed.rawValue == decomposed.rawValue)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(composed == VariantID("\u{E9}"))
    #expect(Set([composed, VariantID("\u{E9}")]).count == 1)
  }

  @Test("are ordered by their UTF-8 bytes")
  func order() {
    let names: [UnitID] = ["Z", "a", "10", "9", "é", "", "\u{10000}", "\u{FFFF}", "zz", "z"]
    #expect(
      names.sorted().map(\.rawValue) == [
        "", "10", "9", "Z", "a", "z", "zz", "é", "\u{FFFF}", "\u{10000}",
      ])
    #expect(!(UnitID("a") < UnitID("a")))
  }

  @Test("are always text")
  func text() {
    #expect(ExperimentID("001") != ExperimentID("1"))
    #expect("\(GoalID("83023"))" == "83023")
    #expect(PointID.standard.rawValue == "point-1" && SlotID.standard.rawValue == "decision-1")
  }

  @Test(
    "a number is the same name as its digits, as a literal and as a value",
    arguments: [0, 83023, -1, .max])
  func numbers(number: Int) {
    #expect(GoalID(number) == GoalID(String(number)))
    #expect(ExperimentID(number).rawValue == "\(number)")
    #expect(VariantID(number).rawValue == "\(number)")
    #expect(GoalID(83023) == 83023 && GoalID(83023) == "83023")
  }
}
