import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

private func seen(_ values: Double...) -> ObservedRewards { ObservedRewards(values) }

@Suite("Learned policies in simulations")
struct LearnedChoicesTests {
  /// A policy by country: `de` mostly A, `fr` B, all others as the tree says.
  private static func policy(
    _ features: String = "one-hot(country)", slots: [String] = ["s"]
  ) throws -> LearnedPolicy {
    let specification = try FeatureSpecification(parsing: features)
    var survey = FeatureSurvey(specification)
    for country in ["de", "fr"] {
      survey.add(
        specification.sources.enumerated().map {
          survey.cell($1 == .variant ? .text("A") : .text(country), of: $0)
        })
    }
    let problem = PolicyProblem(
      slots: slots, variants: ["A", "B"], map: try FeatureMap(survey))
    let tree = PolicyTree(
      tests: [.init(column: 1, bound: 0.5, low: -1, high: -2)],
      leaves: [[0.25, 0.75], [0.9, 0.1]])
    return LearnedPolicy(Specification("tree"), .ips, problem, .tree(tree))
  }

  /// Rewards that are constant by country and variant; B comes first.
  private func environment(_ text: String = "log:path=x,experiment=e,context=country") throws
    -> EmpiricalEnvironment
  {
    try EmpiricalEnvironment(
      Specification(parsing: text), variantNames: ["B", "A"],
      rewards: [[seen(1), seen(3)], [seen(7, 7), seen(5)]], contextValues: ["de", nil])
  }

  private func named(
    _ text: String, _ environment: any Environment, _ policy: LearnedPolicy
  ) throws -> Simulation {
    let policies = PolicyCatalog.standard.readingLearnedPolicies { _ in policy }
    let simulation = Simulation(
      environment, try policies.named(text, variants: environment.variantNames),
      RunRules(horizon: 20_000), seed: 4)
    try simulation.check()
    return simulation
  }

  @Test("the mean reward is the exact value of the policy in the contexts of the log")
  func value() throws {
    let policy = try Self.policy()
    let outcome = try named("learned:path=p", environment(), policy).run(0)
    // Of 5 decisions 2 are in de, where A has 0.9; the others have the other leaf.
    let value = 2 / 5.0 * (0.9 * 3 + 0.1 * 1) + 3 / 5.0 * (0.25 * 5 + 0.75 * 7)
    let point = try #require(outcome.points.last)
    let variance = 2 / 5.0 * (0.9 * 9 + 0.1) + 3 / 5.0 * (0.25 * 25 + 0.75 * 49) - value * value
    let error = (variance / 20_000).squareRoot()
    #expect(abs(point.reward / 20_000 - value) < 4 * error)
  }

  @Test("a choice has the probability of the policy, also while a variant is unavailable")
  func propensities() throws {
    let policy = try LearnedChoices(
      Specification("learned"), Self.policy(), variants: ["B", "A"])
    var state = try policy.makeState(environment().problem(horizon: 1))
    var random = Xoshiro256(seed: 1)
    for _ in 0..<20 {
      let choice = state.choose(Context(number: 0), &random)
      #expect(choice.propensity == (choice.variant == 0 ? 0.1 : 0.9))
      let other = state.choose(Context(number: 1), &random)
      #expect(other.propensity == (other.variant == 0 ? 0.75 : 0.25))
    }
    state.learn(Choice(0), 100, .none)
    state.offer([true, false])
    #expect(state.choose(Context(number: 0), &random) == Choice(0))
    #expect(LearnedChoices.supportsUnavailableVariants)
  }

  @Test("what does not fit is refused, with what would")
  func refused() throws {
    let policy = try Self.policy()
    let cases: [(String, any Environment, LearnedPolicy, String)] = [
      ("learned", try environment(), policy, "needs a file"),
      ("learned:path=p,slot=t", try environment(), policy, "slot \"t\""),
      ("learned:path=p,file=q", try environment(), policy, "no parameter \"file\""),
      ("learned:path=p", try EnvironmentExamples.make("bernoulli:means=0.1;0.2"), policy, "\"1\""),
      (
        "learned:path=p", try environment("log:path=x,experiment=e,context=city"), policy,
        "\"country\", which the contexts of this environment do not have; they have city"
      ),
      (
        "learned:path=p",
        try EmpiricalEnvironment(
          Specification("log"), variantNames: ["A"], rewards: [seen(1)]), policy,
        "context=country"
      ),
      (
        "learned:path=p", try environment(),
        try Self.policy("one-hot(country)+one-hot(slot)", slots: ["s", "t"]), "slots s, t"
      ),
    ]
    for (text, environment, policy, reason) in cases {
      let error = #expect(throws: SpecificationError.self) {
        try named(text, environment, policy)
      }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
    #expect(throws: SpecificationError.self) { try Policies.named("learned:path=p") }
    #expect(throws: SpecificationError.self) {
      try LearnedChoices(Specification("learned"), variants: ["A"])
    }
  }

  @Test("an agent is told to have the policy itself")
  func agents() throws {
    let policy = try Self.policy()
    let policies = PolicyCatalog.standard.readingLearnedPolicies { _ in policy }
    let error = #expect(throws: SpecificationError.self) {
      try AgentPolicy.named("learned:path=p", in: policies)
    }
    #expect(error?.description.contains("learnedPolicy") == true)
  }
}
