import Foundation
import Testing

@testable import Bandits

@Suite("Arm tallies")
struct ArmTallyTests {
  @Test("a tally has seen nothing unless it is told")
  func fresh() {
    let tally = ArmTally()
    #expect(tally.decisions == 0 && tally.rewarded == 0)
    #expect(tally.sum == 0 && tally.squares == 0)
  }

  @Test("a tally is encoded under the names that snapshots have, and comes back equal")
  func encoding() throws {
    let tally = ArmTally(decisions: 20, rewarded: 9, sum: 6.5, squares: 3.25)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes = try encoder.encode(tally)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text == #"{"decisions":20,"rewarded":9,"squares":3.25,"sum":6.5}"#)
    #expect(try JSONDecoder().decode(ArmTally.self, from: bytes) == tally)
  }
}
