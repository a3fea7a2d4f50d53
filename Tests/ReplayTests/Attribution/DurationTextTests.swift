import Replay
import Testing

@Suite("Durations as text")
struct DurationTextTests {
  @Test(
    "a duration has a unit, or is in days",
    arguments: [
      ("7", 604_800_000_000), ("7d", 604_800_000_000), ("1w", 604_800_000_000),
      ("12h", 43_200_000_000), ("30m", 1_800_000_000), ("30min", 1_800_000_000),
      ("90s", 90_000_000),
      ("250ms", 250_000), ("5us", 5), ("0s", 0), ("", nil), ("d", nil), ("-1d", nil), ("1.5h", nil),
      ("1 d", nil), ("1month", nil), ("1D", nil), ("99999999999w", nil),
    ] as [(String, Int64?)])
  func parsing(text: String, microseconds: Int64?) {
    #expect(DurationText.microseconds(text) == microseconds)
  }

  @Test(
    "a duration is written in the largest unit that expresses it, of days at most",
    arguments: ["7d", "12h", "30min", "90s", "250ms", "5us"])
  func writing(text: String) {
    #expect(DurationText.microseconds(text).map(DurationText.text) == text)
  }
}
