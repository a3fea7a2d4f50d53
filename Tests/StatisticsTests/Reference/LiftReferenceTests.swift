import Statistics
import Testing

/// Intervals that leave no difference out exactly where a test rejects it.
///
/// The numbers are from mpmath at 40 digits (score intervals by bisection over the restricted likelihood, the mixture by its
/// likelihood ratio) and numpy with scipy 1.17 (the others).
@Suite("Intervals of lifts against reference numbers")
struct LiftReferenceTests {
  private let few = (
    treatment: Proportion(successes: 3, trials: 40), control: Proportion(successes: 1, trials: 50)
  )
  private let z = 1.9599639845400545

  @Test("score intervals of differences and ratios of few events")
  func scores() throws {
    let cases: [(ScoreVariant, [Double])] = [
      (.pearson, [-0.040153973475812, 0.181304344850652, -0.442297308270881, 24.6572272188544]),
      (.yates, [-0.0705328058535905, 0.209700961006338, -0.635367470512172, 90.5804734555856]),
      (
        .miettinenNurminen,
        [-0.0408798249724131, 0.18221455951223, -0.446879533215712, 24.8722227999088]
      ),
    ]
    for (variant, expected) in cases {
      let intervals = try #require(
        ScoreIntervals(treatment: few.treatment, control: few.control, variant))
      expectInterval(intervals.difference(criticalValue: z), expected[0], expected[1], 1e-7)
      expectInterval(
        intervals.ratio(criticalValue: z).map { Interval($0.low - 1, $0.high - 1) }, expected[2],
        expected[3], 1e-7)
    }
    expectInterval(
      ProportionRatio.recovered(treatment: few.treatment, control: few.control).map {
        Interval($0.low - 1, $0.high - 1)
      }, -0.49963445154945285, 25.11507575710533, 1e-9)
  }

  @Test(
    "without a success in one group the ratio is bounded on one side, and without any not at all")
  func zeros() throws {
    let none = Proportion(successes: 0, trials: 40)
    for variant in [ScoreVariant.pearson, .yates, .miettinenNurminen] {
      let up = try #require(ScoreIntervals(treatment: few.treatment, control: none, variant))
      let ratio = try #require(up.ratio(criticalValue: z))
      #expect(ratio.high == .infinity && ratio.low > 0)
      let down = try #require(ScoreIntervals(treatment: none, control: few.control, variant))
      let other = try #require(down.ratio(criticalValue: z))
      #expect(other.low == 0 && other.high.isFinite && other.high > 1)
      let both = try #require(ScoreIntervals(treatment: none, control: none, variant))
      #expect(both.ratio(criticalValue: z) == nil && both.statistic == nil)
      let difference = both.difference(criticalValue: z)
      #expect(difference.low < -0.05 && difference.high > 0.05)
    }
    #expect(ProportionRatio.recovered(treatment: none, control: few.control)?.low == 0)
    #expect(ProportionRatio.recovered(treatment: few.treatment, control: none)?.high == .infinity)
  }

  @Test("the ends of a score interval are where the test's p-value is the level")
  func inversion() throws {
    for successes in 0...40 {
      let treatment = Proportion(successes: successes, trials: 40)
      for variant in [ScoreVariant.pearson, .yates, .miettinenNurminen] {
        let intervals = try #require(
          ScoreIntervals(treatment: treatment, control: few.control, variant))
        guard let p = intervals.pValue(.twoSided) else { continue }
        #expect(intervals.difference(criticalValue: z).contains(0) == (p >= 0.05))
        #expect(intervals.ratio(criticalValue: z)?.contains(1) == (p >= 0.05))
      }
    }
  }

  @Test(
    "Fieller's set is not an interval if the control may be zero, and otherwise agrees with the test"
  )
  func fieller() throws {
    let control = SampleMean(count: 50, mean: 1, variance: 9)
    for mean in stride(from: -3.0, through: 4, by: 0.05) {
      let treatment = SampleMean(count: 40, mean: mean, variance: 4)
      let lift = FiellerLift(treatment: treatment, control: control)
      let error = (treatment.squaredError + control.squaredError).squareRoot()
      let interval = try #require(lift.interval(criticalValue: z))
      #expect(interval.contains(0) == (abs(mean - 1) <= z * error), "\(mean)")
      #expect(interval.contains(mean - 1))
    }
    let weak = SampleMean(count: 50, mean: 0.5, variance: 9)
    #expect(
      FiellerLift(treatment: control, control: weak).interval(criticalValue: z) == nil)
    // The same as the z interval of RelativeLift.
    let treatment = SampleMean(count: 40, mean: 2, variance: 4)
    let other = try #require(
      RelativeLift.fieller(treatment: treatment, control: control)?.interval)
    expectInterval(
      FiellerLift(treatment: treatment, control: control).interval(criticalValue: z), other.low,
      other.high, 1e-9)
  }

  @Test("the mixture of t tests reaches as far as its likelihood ratio says")
  func mixture() {
    expectClose(
      MixtureT(tightestAt: 100).multiplier(count: 100, degreesOfFreedom: 99), 3.09952507618206)
    expectClose(
      MixtureT(tightestAt: 50, alpha: 0.0025).multiplier(count: 400, degreesOfFreedom: 399),
      4.14897957303837)
    #expect(MixtureT(tightestAt: 100).multiplier(count: 10, degreesOfFreedom: 9) == .infinity)
    #expect(MixtureT(tightestAt: 100).multiplier(count: 1, degreesOfFreedom: 0) == .infinity)
  }

  @Test("a variance that is only rounding error is zero; one far from zero is kept")
  func rounding() throws {
    let thirds = try #require(SampleMean(Moments([0.1 + 0.2, 0.3, 0.3])))
    #expect(thirds.variance == 0)
    let far = try #require(SampleMean(Moments([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])))
    #expect(far.variance == 30)
  }
}
