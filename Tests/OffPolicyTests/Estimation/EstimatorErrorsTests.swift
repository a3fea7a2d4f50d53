import OffPolicy
import Statistics
import Testing

@Suite("Errors of estimators against a known value")
struct EstimatorErrorsTests {
  @Test("are relative, with the share of replicates in which each is the smallest")
  func errors() throws {
    let truth: [Double?] = [2, 4, nil, 0, 1]
    let errors = EstimatorErrors(
      [(3, [2, 5, 1, 1, 2]), (2.5, [3, 4, 1, 1, nil]), (nil, [2, nil, 1, 1, 1]), (4, nil)],
      truth: (2, truth))
    #expect(errors.entries.map(\.error) == [0.5, 0.25, nil, 1])
    // Replicates without a truth, or with one of zero, do not count.
    let means: [Double?] = [1.25 / 3, 0.25, 0, nil]
    #expect(errors.entries.map(\.mean) == means)
    // The first is shared by the first and the third.
    let shares: [Double?] = [0.5 / 3, 1.0 / 3, 0.5, nil]
    #expect(errors.entries.map(\.closest) == shares)
    #expect(errors.best == 2)
    let interval = try #require(errors.entries[1].interval)
    #expect(abs(interval.low - 0.0125) < 1e-12 && abs(interval.high - 0.4875) < 1e-12)
  }

  @Test("without a truth, or with one of zero, there are none")
  func none() {
    for truth in [nil, 0] as [Double?] {
      let errors = EstimatorErrors([(1, [1])], truth: (truth, [truth]))
      #expect(errors.entries[0].error == nil && errors.entries[0].mean == nil)
      #expect(errors.best == nil)
    }
    #expect(EstimatorErrors([], truth: (1, [])).best == nil)
  }
}
