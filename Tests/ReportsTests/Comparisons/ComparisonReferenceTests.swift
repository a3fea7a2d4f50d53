import Events
import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

/// Numbers that published libraries agree on, out of a log.
@Suite("Comparisons against reference numbers")
struct ComparisonReferenceTests {
  private static let a = [12.1, 14.3, 9.8, 11.5, 13.2, 10.7, 15.1, 12.9, 8.6, 11.9]
  private static let b = [13.4, 16.2, 12.8, 14.9, 11.3, 17.5, 15.8, 12.2, 14.1, 13.7, 16.6, 15.0]
  private static let preA: [Double] = [10, 13, 9, 11, 12, 10, 14, 12, 8, 11]
  private static let preB: [Double] = [11, 14, 11, 13, 10, 15, 14, 11, 12, 12, 14, 13]

  private static func means() throws -> ComparisonLog {
    try ComparisonLog(
      ComparedUnits.units("A", ["g": a], before: preA)
        + ComparedUnits.units("B", ["g": b], before: preB))
  }

  private static func proportions() throws -> ComparisonLog {
    try ComparisonLog(
      ComparedUnits.share("control", 100, of: 1_000)
        + ComparedUnits.share("treatment", 130, of: 1_000))
  }

  @Test("Welch's t test of two means, and its one side")
  func welch() throws {
    let log = try Self.means()
    let row = try log.row("reward")
    #expect(row.text("variant") == "B" && row.text("baseline") == "A")
    #expect(row.text("method") == "welch" && row.text("verdict") == "better")
    row.expect([
      "units": 12, "baseline_units": 10, "baseline_mean": 12.01, "mean": 14.4583333333333,
      "baseline_variance": 3.94544444444444, "variance": 3.52810606060606,
      "difference": 2.44833333333333, "standard_error": 0.829791107947,
      "statistic": 2.95054178080, "degrees_of_freedom": 18.8477929498,
      "p_value": 0.00826175143887, "p_value_adjusted": 0.00826175143887,
      "ci_low": 0.710610813667, "ci_high": 4.18605585300, "lift": 0.203857896198,
      // Fieller's set with the t quantile of the test, from its quadratic in numpy 2 with scipy 1.17.
      "lift_ci_low": 0.0545910873432, "lift_ci_high": 0.382358130175,
    ])
    #expect(row.text("lift_method") == "fieller-t")
    let greater = try log.row("reward") { $0.alternative = .greater }
    greater.expect([
      "p_value": 0.00413087571943, "ci_low": 1.01292095284, "lift_ci_low": 0.0788526629795,
    ])
    #expect(greater["ci_high"] == .empty && greater["lift_ci_high"] == .empty)
    try log.row("reward") { $0.method = .pooled }.expect([
      "statistic": 2.96631543806, "degrees_of_freedom": 20, "p_value": 0.00763250031903,
      "lift_ci_low": 0.0560635162463, "lift_ci_high": 0.3789479217392,
    ])
  }

  @Test("the intervals of the lift of two means")
  func lifts() throws {
    let log = try Self.means()
    let expected: [(LiftMethod, Double, Double)] = [
      (.delta, 0.0416095084133, 0.366106283982), (.log, 0.0509864968682, 0.378965227961),
      (.fieller, 0.0634527428736, 0.369831174793), (.deltaZ, 0.0520071856748, 0.355708606720),
      (.logZ, 0.0611938770685, 0.365701278112),
    ]
    for (method, low, high) in expected {
      let row = try log.row("reward") { $0.lift = method }
      row.expect(["lift": 0.203857896198, "lift_ci_low": low, "lift_ci_high": high])
      #expect(row.text("lift_method") == method.rawValue)
    }
  }

  @Test("tests of two proportions")
  func proportionTests() throws {
    let log = try Self.proportions()
    let welch = try log.row("converted")
    #expect(welch.text("method") == "welch")
    welch.expect([
      "difference": 0.03, "p_value": 0.0354114902575, "ci_low": 0.00205078429095,
      "ci_high": 0.0579492157091, "lift_ci_low": 0.0182376943618, "lift_ci_high": 0.674989992228,
    ])
    // Score intervals from the restricted likelihood, solved to 40 digits with mpmath.
    try log.row("converted") { $0.method = .pooledZ }.expect(
      [
        "statistic": 2.10274060562, "p_value": 0.0354884504665, "ci_low": 0.00204862521342484,
        "ci_high": 0.0581653421682731, "lift_ci_low": 0.0178647666203728,
        "lift_ci_high": 0.661257660827495,
      ], within: 1e-8)
    try log.row("converted") { $0.method = .unpooledZ }.expect([
      "p_value": 0.0352853202505, "ci_low": 0.00206793443938, "ci_high": 0.0579320655606,
    ])
    try log.row("converted") { $0.method = .chiSquared }.expect([
      "statistic": 4.42151805453, "degrees_of_freedom": 1, "p_value": 0.0354884504665,
    ])
    try log.row("converted") { $0.method = .yates }.expect(
      [
        "statistic": 4.13166298207, "p_value": 0.0420879717672, "ci_low": 0.00104309284040336,
        "ci_high": 0.0591778938370732, "lift_ci_low": 0.0090525955013692,
        "lift_ci_high": 0.676286934460972,
      ], within: 1e-8)
    let fisher = try log.row("converted") { $0.method = .fisher }
    fisher.expect(["p_value": 0.0419045483837])
    #expect(fisher["ci_low"] == .empty && fisher["lift_ci_low"] == .empty)
  }

  @Test("intervals of two proportions")
  func proportionIntervals() throws {
    let log = try Self.proportions()
    let differences: [(ComparisonMethod, Double, Double)] = [
      (.newcombe, 0.00200234871528, 0.0580704850222),
      (.agrestiCaffo, 0.00195472377868, 0.0579255157422),
      // The score equation solved to 40 digits; statsmodels 0.15.0 has another cubic.
      (.miettinenNurminen, 0.00204159721175496, 0.0581724736599133),
    ]
    for (method, low, high) in differences {
      let row = try log.row("converted") { $0.method = method }
      row.expect(["ci_low": low, "ci_high": high])
      #expect(row["p_value"] == .empty && row.text("verdict") == "better")
    }
    try log.row("converted") { $0.method = .newcombe }.expect(
      ["lift_ci_low": 0.0174777812219, "lift_ci_high": 0.660759945747], within: 1e-8)
    try log.row("converted") { $0.method = .agrestiCaffo }.expect(
      ["lift_ci_low": 0.0172565523135, "lift_ci_high": 0.668662506209], within: 1e-8)
    for (method, low, high) in [
      (LiftMethod.ratioLog, 1.01698427097, 1.66177594702),
      (.ratioScore, 1.01780285380, 1.66135916560),
    ] {
      let row = try log.row("converted") { $0.lift = method }
      row.expect(["lift_ci_low": low - 1, "lift_ci_high": high - 1], within: 1e-8)
    }
  }

  @Test("normal posteriors of difference and lift")
  func bayes() throws {
    let log = try Self.proportions()
    let absolute = try log.row("converted") { $0.method = .bayes }
    absolute.expect([
      "chance_to_win": 0.982357339875, "expected_loss": 9.08995201954e-05,
      "ci_low": 0.00206793443938, "ci_high": 0.0579320655606,
    ])
    #expect(absolute["p_value"] == .empty && absolute.text("verdict") == "better")
    let relative = try log.row("converted") { $0.method = .bayesLift }
    relative.expect([
      "lift": 0.3, "chance_to_win": 0.982357339875, "expected_loss": 9.08995201954e-04,
      "lift_ci_low": 0.0183913752263373, "lift_ci_high": 0.674717838055759,
    ])
    #expect(
      relative.text("verdict") == "better" && relative.text("lift_method") == "fieller-posterior")
    let prior = try log.row("converted") {
      $0.method = .bayesLift
      $0.prior = .init(mean: 0, standardDeviation: 0.3)
    }
    prior.expect(["lift": 0.251399302988700, "chance_to_win": 0.974149059516587])
    #expect(prior.text("method") == "bayes-lift, prior normal, mean 0.0, sd 0.3")
  }

  @Test("Beta posteriors")
  func beta() throws {
    let row = try Self.proportions().row("converted") { $0.method = .betaBinomial }
    row.expect(["chance_to_win": 0.982165066118])
    row.expect(["expected_loss": 9.23744917e-05], within: 1e-8)
    // By scipy's quad and brentq.
    row.expect(
      [
        "ci_low": 0.00200852166173, "ci_high": 0.0579792898879, "lift_ci_low": 0.0175669714651,
        "lift_ci_high": 0.661048584431,
      ], within: 1e-7)
    // The other way round: 0.0300324942520.
    let turned = try ComparisonLog(
      ComparedUnits.share("control", 130, of: 1_000)
        + ComparedUnits.share("treatment", 100, of: 1_000))
    try turned.row("converted") { $0.method = .betaBinomial }.expect([
      "expected_loss": 0.0300324942520
    ])
  }

  @Test("a ratio by the delta method")
  func ratio() throws {
    let log = try ComparisonLog(
      ComparedUnits.units("A", ["m": [3, 0, 5, 2, 8, 1, 0, 4], "d": [2, 1, 3, 1, 4, 1, 1, 2]])
        + ComparedUnits.units(
          "B", ["m": [4, 1, 6, 3, 9, 2, 0, 5, 7], "d": [2, 1, 2, 2, 4, 1, 1, 2, 3]]))
    let row = try log.row("ratio:of=reward:goal=m,over=reward:goal=d")
    row.expect(
      [
        "baseline_mean": 1.53333333333, "mean": 2.05555555556, "difference": 0.522222222222,
        "standard_error": 0.303179829498, "statistic": 1.72248339570, "p_value": 0.105940320940,
        "ci_low": -0.125122588375, "ci_high": 1.16956703282, "baseline_variance": 0.395152028219,
        "variance": 0.382716049383, "lift_ci_low": -0.0667095831534,
        "lift_ci_high": 1.03187009934,
      ], within: 1e-8)
    #expect(row.text("method") == "welch, delta method" && row.text("verdict") == "no difference found")
  }

  @Test("a covariate from before the exposure")
  func cuped() throws {
    let log = try Self.means()
    let pooled = try log.row("reward") { $0.covariate = .init(period: ComparedUnits.day) }
    pooled.expect(
      [
        "difference": 0.636325459318, "p_value": 0.00475273300957, "ci_low": 0.226890623709,
        "ci_high": 1.04576029493, "lift": 0.0489542582,
      ], within: 1e-8)
    #expect(pooled.text("method") == "welch, cuped 1d, theta pooled")
    let within = try log.row("reward") {
      $0.covariate = .init(period: ComparedUnits.day, theta: .withinGroups)
    }
    within.expect(["difference": 0.773333333333])
  }

  @Test("a covariate of a ratio adjusts numerator and denominator")
  func cupedRatio() throws {
    func events(
      _ variant: String, _ above: [Double], _ below: [Double], before: ([Double], [Double])
    ) -> [Event] {
      above.indices.flatMap { index in
        let unit = "\(variant)\(index)"
        return [
          ComparedUnits.goal(ComparedUnits.day - 1, unit, before.0[index], goal: "m"),
          ComparedUnits.goal(ComparedUnits.day - 1, unit, before.1[index], goal: "d"),
          ComparedUnits.decision(ComparedUnits.day, unit, variant),
          ComparedUnits.goal(ComparedUnits.day + 1, unit, above[index], goal: "m"),
          ComparedUnits.goal(ComparedUnits.day + 1, unit, below[index], goal: "d"),
        ]
      }
    }
    let log = try ComparisonLog(
      events(
        "A", Self.a, [1, 2, 1, 1, 2, 1, 3, 2, 1, 1],
        before: (Self.preA, [1, 2, 2, 1, 1, 1, 2, 2, 1, 1]))
        + events(
          "B", Self.b, [2, 2, 1, 2, 1, 3, 2, 1, 2, 1, 3, 2],
          before: (Self.preB, [2, 1, 1, 2, 1, 2, 2, 1, 1, 2, 3, 1])))
    let ratio = "ratio:of=reward:goal=m,over=reward:goal=d"
    // RatioOfMeans with numer_covariate and denom_covariate of tea-tasting 1.14.
    let welch = try log.row(ratio) { $0.covariate = .init(period: ComparedUnits.day) }
    welch.expect(
      [
        "difference": -0.13314589124229936, "statistic": -0.1319699531947289,
        "p_value": 0.8965708948655422, "ci_low": -2.2631857485060873,
        "ci_high": 1.9968939660214886, "lift": -0.01661403507643433,
      ], within: 1e-8)
    #expect(welch.text("method") == "welch, delta method, cuped 1d, theta pooled")
    try log.row(ratio) {
      $0.method = .pooled
      $0.covariate = .init(period: ComparedUnits.day)
    }.expect(
      [
        "statistic": -0.13511642758720707, "p_value": 0.8938704256954088,
        "ci_low": -2.1886876728351763, "ci_high": 1.9223958903505776,
      ], within: 1e-8)
    let plain = try log.row(ratio)
    plain.expect(["difference": -0.12030303030302925, "p_value": 0.9132646479088321], within: 1e-8)
    #expect(plain["standard_error"] != welch["standard_error"])
  }

  @Test("tests that hold at every look")
  func sequential() throws {
    let log = try Self.proportions()
    for (variance, ratio, p) in [
      (1e-4, 1.70032026652, 0.588124496124), (1e-3, 2.59126035470, 0.385912591988),
    ] {
      let row = try log.row("converted") {
        $0.method = .msprt
        $0.mixingVariance = variance
      }
      row.expect(["statistic": ratio, "p_value": p])
      #expect(row.text("verdict") == "no difference found")
    }
    try log.row("converted") { $0.method = .scaledMsprt }.expect([
      "ci_low": -0.0210840601263, "ci_high": 0.0810840601263, "p_value": 0.249722842768,
    ])
    try log.row("converted") { $0.method = .asymptoticCS }.expect([
      "ci_low": -0.0145179621023, "ci_high": 0.0745179621023, "p_value": 0.378931507586,
    ])
    try log.row("converted") {
      $0.method = .asymptoticCS
      $0.tightestAt = 2_000
    }.expect([
      "ci_low": -0.0132557216245, "ci_high": 0.0732557216245, "p_value": 0.417837953242,
    ])
    for (look, boundary) in [4.87688, 3.35701, 2.68028, 2.28982, 2.03103].enumerated() {
      let row = try log.row("converted") {
        $0.method = .groupSequential
        $0.looks = .init(
          count: 5, look: look + 1, spending: .obrienFleming)
      }
      let (low, high) = (row.number("ci_low") ?? 0, row.number("ci_high") ?? 0)
      let error = row.number("standard_error") ?? 0
      #expect(abs((high - low) / 2 / error - boundary) < 1e-4)
      #expect(row.text("verdict") == (look == 4 ? "better" : "no difference found"))
      #expect(row["p_value"] == .empty)
    }
  }

  @Test("p-values are adjusted over all rows as one family")
  func multiplicity() throws {
    let p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]
    let holm =
      [0.01, 0.072] + Array(repeating: 0.312, count: 5) + Array(repeating: 0.615, count: 3)
    let withGaps: [Double?] = [nil] + p + [nil]
    let adjusted = ComparisonReport.adjust(withGaps, .holm)
    #expect(adjusted.first == .some(nil) && adjusted.last == .some(nil))
    for (value, reference) in zip(adjusted.compactMap { $0 }, holm) {
      #expect(abs(value - reference) < 1e-12)
    }
    #expect(ComparisonReport.adjust(withGaps, nil) == withGaps)

    var random = SeededGenerator(seed: 7)
    let events = ["control", "x", "y"].flatMap { variant in
      ComparedUnits.units(
        variant,
        [
          "g": (0..<9).map { _ in Double(random.index(8)) },
          "h": (0..<9).map { _ in Double(random.index(8)) },
        ])
    }
    var plan = ComparisonPlan()
    for correction in Multiplicity.allCases {
      plan.correction = correction
      let rows = try ComparisonLog(events).table(["reward", "reward:goal=g", "goals"], plan).named
      let tested = rows.filter { $0.number("p_value") != nil }
      #expect(tested.count == 4 && rows.count == 6)
      #expect(
        tested.map { $0.number("p_value_adjusted") }
          == correction.adjusted(tested.compactMap { $0.number("p_value") }))
    }
  }

  @Test("the bootstrap approximates Welch's interval, and is deterministic for a seed")
  func bootstrap() throws {
    let log = try Self.means()
    let row = try log.row("reward") { $0.method = .bootstrap }
    row.expect(["difference": 2.44833333333333], within: 1e-12)
    row.expect(["ci_low": 0.75, "ci_high": 4.15, "standard_error": 0.83], within: 0.25)
    #expect(row.text("method") == "bootstrap, percentile, 1000 replicates, seed 0")
    #expect(row.text("verdict") == "better" && row["p_value"] == .empty)
    #expect(try log.row("reward") { $0.method = .bootstrap }.cells == row.cells)
    let other = try log.row("reward") {
      $0.method = .bootstrap
      $0.resampling = .init(replicates: 1_000, seed: 1)
    }
    #expect(other["ci_low"] != row["ci_low"])
    let ratio = try log.row("ratio:of=reward,over=goals") { $0.method = .bootstrap }
    #expect(ratio.number("difference") == row.number("difference"))
  }

  @Test("the rank test of Mann and Whitney is that of the values")
  func mannWhitney() throws {
    let row = try Self.means().row("reward") { $0.method = .mannWhitney }
    let test = try #require(MannWhitney.test(treatment: Self.b, control: Self.a))
    row.expect(["statistic": test.z, "p_value": test.pValue])
    #expect(row["ci_low"] == .empty)
  }
}
