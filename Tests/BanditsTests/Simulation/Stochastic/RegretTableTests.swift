import Foundation
import TestSupport
import Testing

@testable import Bandits

@Suite("Regret against an independent computation")
struct RegretTableTests {
  /// A mean and its standard error.
  typealias Entry = (mean: Double, error: Double)

  /// The regret of a policy on B1, B2, B4 and B6.
  struct Row: Sendable, CustomTestStringConvertible {
    var policy: String
    var values: [(mean: Double, error: Double)?]
    var testDescription: String { policy }

    init(_ policy: String, _ values: Entry?...) { (self.policy, self.values) = (policy, values) }
  }

  private static let problems = [Problems.b1, Problems.b2, Problems.b4, Problems.b6]
  private static let isLong = LongTests.areWanted

  private static let early = [
    Row("uniform", (400.17, 0.18), (335.10, 0.21), (100.00, 0.06), (149.87, 0.11)),
    Row("ucb:alpha=1", (54.73, 0.23), (37.22, 0.14), (22.34, 0.16), (8.19, 0.10)),
    Row("ucb:alpha=0.5", (31.60, 0.24), (24.38, 0.12), (14.16, 0.20), (4.48, 0.09)),
    Row("ucb1", (132.56, 0.23), (83.94, 0.17), (46.62, 0.15), (23.52, 0.14)),
    Row("ucb1-tuned", (32.04, 0.24), (24.38, 0.12), (14.42, 0.20), (4.52, 0.08)),
    Row("kl-ucb", (35.65, 0.20), (30.86, 0.13), (13.24, 0.33), (5.16, 0.16)),
    Row("thompson", (29.06, 0.25), (26.05, 0.13), (11.23, 0.20), (3.95, 0.07)),
    Row("moss", (44.56, 0.20), (34.97, 0.13), (21.04, 0.15), (9.43, 0.09)),
    Row("moss:horizon=10000", (72.75, 0.21), (48.82, 0.15), (28.82, 0.16), (12.50, 0.10)),
    Row("epsilon-greedy:epsilon=0.1", (62.19, 0.69), (43.07, 0.16), (19.30, 0.40), (16.99, 0.13)),
    Row("epsilon-greedy:epsilon=0.01", (43.57, 1.35), (15.89, 0.53), (29.39, 1.09), (14.37, 1.07)),
    Row("greedy", (42.80, 1.53), (14.89, 0.82), (34.57, 1.29), (33.07, 2.07)),
    Row("etc:pulls=100", (360.30, 0.04), (301.93, 0.01), (31.36, 0.22), (30.00, 0.00)),
    Row("softmax:temperature=0.1", (98.27, 1.79), nil, (66.25, 1.43), (48.95, 1.88)),
  ]

  private static let late = [
    Row("uniform", (3999.69, 0.57), (3349.74, 0.66), (1000.07, 0.18), (1499.40, 0.34)),
    Row("ucb:alpha=1", (101.37, 0.39), (98.93, 0.30), (49.12, 0.33), (13.45, 0.14)),
    Row("ucb:alpha=0.5", (53.72, 0.63), (69.16, 0.34), (26.89, 0.36), (6.96, 0.11)),
    Row("ucb1", (331.34, 0.60), (232.74, 0.40), (147.82, 0.16), (47.22, 0.25)),
    Row("ucb1-tuned", (55.32, 0.46), (70.36, 0.32), (28.31, 0.37), (7.03, 0.11)),
    Row("kl-ucb", (58.81, 0.27), (85.91, 0.32), (25.27, 0.51), (8.28, 0.22)),
    Row("thompson", (41.73, 0.28), (70.80, 0.45), (17.04, 0.37), (5.48, 0.08)),
    Row("moss", (84.37, 0.28), (90.82, 0.56), (43.66, 0.26), (15.36, 0.13)),
    Row("moss:horizon=10000", (86.83, 0.28), (89.92, 0.53), (44.94, 0.27), (15.54, 0.13)),
    Row(
      "epsilon-greedy:epsilon=0.1", (430.00, 1.35), (376.35, 0.76), (110.00, 0.50), (152.12, 0.19)),
    Row("epsilon-greedy:epsilon=0.01", (217.38, 7.73), (87.15, 1.36), (94.88, 4.43), (30.31, 1.49)),
    Row("greedy", (365.10, 15.38), (104.35, 8.07), (327.71, 12.99), (321.97, 20.73)),
    Row("etc:pulls=100", (387.30, 3.53), (340.97, 0.82), (48.91, 3.00), (30.00, 0.00)),
    Row("softmax:temperature=0.1", (583.29, 8.78), nil, (421.44, 7.35), (124.03, 3.27)),
  ]

  /// How many runs are behind an entry.
  private func runsBehind(_ policy: String, _ problem: Int, at t: Int) -> Double {
    if policy == "kl-ucb", problem >= 2 { return 400 }
    return policy == "ucb1" && problem == 2 ? 18_000 : 2_000
  }

  private func expect(_ row: Row, _ t: Int, runs: Int) throws {
    for (index, entry) in row.values.enumerated() {
      guard let entry else { continue }
      let found = try outcomes(
        row.policy, Self.problems[index], horizon: t, runs: runs, checkpoints: .given([t]))
      let regret = mean(found) { $0.points.last?.regret ?? .nan }
      // Few runs tell little of their own spread where some runs in a hundred lose far more: the table knows better.
      let spread = entry.error * (runsBehind(row.policy, index, at: t) / Double(runs)).squareRoot()
      let error = max(regret.error, spread)
      // What the table has is rounded to two digits.
      let limit = 4 * (entry.error * entry.error + error * error).squareRoot() + 0.005
      #expect(
        abs(regret.mean - entry.mean) <= limit,
        "\(row.policy) on \(Self.problems[index]): \(regret), \(entry)")
    }
  }

  @Test("after 1,000 decisions", arguments: early)
  func thousand(row: Row) throws { try expect(row, 1_000, runs: Self.isLong ? 400 : 6) }

  @Test(
    "after 10,000 decisions", .enabled(if: isLong, "make test-long runs it"), arguments: late)
  func tenThousand(row: Row) throws { try expect(row, 10_000, runs: 100) }
}
