import Replay
import Testing

@Suite("Attribution")
struct AttributionTests {
  @Test("the description of an attribution lists what differs from the default")
  func descriptions() {
    #expect(Attribution().description == "last, no window")
    let attribution = Attribution(
      rule: .linear, window: 7 * 86_400_000_000, delay: 90_000_000, counting: .once, minimum: 1,
      excludesInProgress: true, crossing: .first)
    #expect(
      attribution.description
        == "linear, window 7d, delay 90s, once per unit and experiment, at least 1.0, without exposures "
        + "in progress, units in several variants at their first")
  }
}
