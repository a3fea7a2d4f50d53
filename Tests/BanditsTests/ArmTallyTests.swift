import Testing

@testable import Bandits

@Suite("Tallies of arms")
struct ArmTallyTests {
  @Test("a fresh tally has seen nothing")
  func fresh() {
    #expect(ArmTally() == ArmTally(decisions: 0, rewarded: 0, sum: 0, squares: 0))
  }
}
