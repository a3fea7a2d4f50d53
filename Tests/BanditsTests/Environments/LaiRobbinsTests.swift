import Testing

@testable import Bandits

@Suite("Lai and Robbins' bound")
struct LaiRobbinsTests {
  @Test(
    "constants and hardness of the reference problems",
    arguments: [
      (Problems.b1, 7.516516, 152.7422), (Problems.b2, 101.045122, 50047.768),
      (Problems.b3, 14.452327, 1639.1204), (Problems.b4, 3.553644, 125),
      (Problems.b5, 44.093877, 900), (Problems.b6, 0.963890, 11.1111),
    ])
  func reference(text: String, constant: Double, hardness: Double) throws {
    let arms = try #require(try EnvironmentExamples.make(text).arms)
    let ours = try #require(LaiRobbins.constant(arms))
    #expect(abs(ours - constant) < 1e-6)
    let sum = try #require(LaiRobbins.hardness(arms.map(\.mean)))
    #expect(abs(sum / hardness - 1) < 2e-6)
  }

  private func constant(_ text: String) throws -> Double? {
    LaiRobbins.constant(try #require(try EnvironmentExamples.make(text).arms))
  }

  @Test("normal rewards: 2σ²Σ1/Δ, each with its own deviation")
  func gaussian() throws {
    // SMPyBandits prints 0.375 for this one: it has σ where σ² belongs.
    let three = try #require(try constant("gaussian:means=0.1;0.5;0.9,deviations=0.05"))
    #expect(abs(three - 0.01875) < 1e-12)
    let two = try #require(try constant("gaussian:means=0;1;3,deviations=2;3;7"))
    #expect(abs(two - (2 * 4 / 3.0 + 2 * 9 / 2.0)) < 1e-12)
    #expect(try constant("gaussian:means=0;1,deviations=0") == 0)
  }

  @Test("Poisson and exponential rewards, by hand")
  func others() throws {
    let poisson = try #require(try constant("poisson:means=1;2"))
    #expect(abs(poisson - 1 / (1 - 0.693147180559945309)) < 1e-12)
    #expect(try constant("poisson:means=0;2") == 1)
    let exponential = try #require(try constant("exponential:means=1;2"))
    #expect(abs(exponential - 1 / (0.5 - 1 + 0.693147180559945309)) < 1e-12)
  }

  @Test("ties and infinite divergences contribute nothing")
  func nothing() throws {
    #expect(try constant("bernoulli:means=0.5;0.5;0.5") == 0)
    #expect(LaiRobbins.hardness([0.5, 0.5]) == 0)
    #expect(try constant("bernoulli:means=0.5;1;1") == 0)
    let tied = try constant("bernoulli:means=0.1;0.9;0.9")
    #expect(try constant("bernoulli:means=0.1;0.9") == tied)
    #expect(LaiRobbins.constant([.bernoulli(1), .gaussian(mean: 2, deviation: 1)]) == 0)
  }

  @Test("nil without variants, for other families, and if it is not finite")
  func none() throws {
    #expect(LaiRobbins.constant([]) == nil)
    #expect(LaiRobbins.hardness([]) == nil)
    #expect(try constant("beta:a=1;2,b=2;1") == nil)
    #expect(try constant("beta:a=1,b=2") == 0)
    #expect(LaiRobbins.hardness([0, 1e-200]) == nil)
    #expect(try EnvironmentExamples.make("drifting").arms == nil)
  }
}
