import Testing

@testable import Bandits

@Suite("Arm tallies")
struct ArmTallyTests {
  @Test("a new tally is empty")
  func fresh() {
    #expect(ArmTally() == ArmTally(decisions: 0, rewarded: 0, sum: 0, squares: 0))
  }
}
