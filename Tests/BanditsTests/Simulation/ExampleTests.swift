import Specifications
import Testing

@testable import Bandits

@Suite("The examples of policies and environments")
struct ExampleTests {
  @Test("the example of each policy runs", arguments: Policies.all.map(\.example))
  func policy(text: String) throws {
    let variants = ["1", "2", "3"]
    let policy = try Policies.named(text, variants: variants)
    #expect(policy.specification.description == text)
    let needsVariantFeatures = policy.specification.name == "linucb-hybrid"
    let environment = try Environments.named(
      policy.needsContext
        ? "logistic:variants=3,features=2,contexts=\(needsVariantFeatures ? "variants" : "shared")"
        : "bernoulli:means=0.2;0.5;0.7")
    let runs = try Simulator(policy, environment).run(horizon: 50)
    #expect(runs.outcomes[0].choices.reduce(0, +) == 50)
  }

  @Test("the example of each environment runs", arguments: Environments.all.map(\.example))
  func environment(text: String) throws {
    let files = ["rewards.csv": "a,b\n1,0\n", "examples.csv": "size,class\n1,a\n2,b\n"]
    let sources = EnvironmentSources(
      text: { files[$0] ?? "" }, other: EnvironmentExamples.sources.other)
    let environment = try Environments.named(text, sources)
    #expect(environment.specification.description == text)
    let runs = try Simulator(UCB1(), environment).run(horizon: 50)
    #expect(runs.outcomes[0].choices.reduce(0, +) == 50)
  }

  @Test("an example names its type")
  func names() throws {
    for info in Policies.all + Environments.all {
      #expect(try Specification(parsing: info.example).name == info.name)
    }
  }
}
