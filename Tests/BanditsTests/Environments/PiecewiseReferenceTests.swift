import Foundation
import TestSupport
import Testing

@testable import Bandits

@Suite("Reference numbers: piecewise rewards")
struct PiecewiseReferenceTests {
  /// The piecewise problem of SMPyBandits' notebook: three variants, 5000 steps, a change after each thousand.
  private let problem =
    "piecewise:means=0.3;0.5;0.9|0.3;0.2;0.9|0.3;0.2;0.1|0.7;0.2;0.1|0.7;0.5;0.1,"
    + "changes=1000;2000;3000;4000"

  private func regret(_ policy: String, runs: Int) throws -> (mean: Double, error: Double) {
    mean(try outcomes(policy, problem, horizon: 5000, runs: runs)) {
      $0.points.last?.regret ?? .nan
    }
  }

  @Test("uniform choices lose the mean gap at each step: 1500")
  func even() throws {
    let ours = try regret("uniform", runs: 5)
    #expect(abs(ours.mean - 1500) <= 4 * ours.error)
  }

  @Test(
    "the regrets that SMPyBandits prints, of 40 runs each",
    .enabled(if: LongTests.areWanted),
    arguments: [("kl-ucb", 262.92), ("thompson", 445.87)])
  func published(policy: String, regret published: Double) throws {
    let ours = try regret(policy, runs: 400)
    // Its runs have the deviation of ours.
    let error = ours.error * (1 + 400.0 / 40).squareRoot()
    #expect(abs(ours.mean - published) <= 4 * error, "\(ours)")
  }
}
