import Statistics
import Testing

@testable import Scenarios

@Suite("The clock of the shop")
struct StorefrontClockTests {
  @Test(
    "gaps add up to the duration of the log, whatever their size",
    arguments: [(2_000, 30), (100_000, 30), (50_000, 1)])
  func total(events: Int, days: Int) {
    var generator = Xoshiro256(seed: 3)
    var clock = StorefrontClock(days: Double(days), events: events)
    for _ in 0..<events { clock.advance(events: 1, using: &generator) }
    let span = Double(clock.now - StorefrontClock.start) / 86_400_000_000
    // A product of two uniform numbers times 4 has variance 7/9.
    let error = (7.0 / 9 / Double(events)).squareRoot() * Double(days)
    #expect(abs(span - Double(days)) < 4.5 * error + 0.5, "\(span) days")
  }

  @Test("evenings are busier than nights and time never goes back")
  func hours() {
    var generator = Xoshiro256(seed: 4)
    var clock = StorefrontClock(days: 30, events: 60_000)
    var visits = Array(repeating: 0, count: 24)
    for _ in 0..<60_000 {
      let before = clock.now
      clock.advance(events: 1, using: &generator)
      #expect(clock.now >= before)
      visits[Int(clock.now / 3_600_000_000 % 24)] += 1
    }
    #expect(visits[20] > 5 * visits[3])
  }
}
