import Specifications
import Testing

@testable import Bandits

@Suite("Adversarial, changing and wrapping policies in the catalog")
struct FamilyTests {
  private static let needed: [String: [Specification.Parameter]] = [
    "corral": [.init(key: "policies", value: "(exp3);(ucb1)")],
    "floor": [.init(key: "policy", value: "(ucb1)")],
    "conservative": [
      .init(key: "policy", value: "(ucb1)"), .init(key: "baseline", value: "2"),
    ],
  ]

  private static let guides = Policies.all.filter {
    ["adversarial", "changing rewards", "around others"].contains($0.family)
  }

  @Test("the listed defaults are the effective ones")
  func defaults() throws {
    #expect(Self.guides.count == 19)
    for info in Self.guides {
      let needed = Self.needed[info.name] ?? []
      let standard = info.parameters.compactMap { parameter in
        parameter.standard.map { Specification.Parameter(key: parameter.key, value: $0) }
      }
      let short = Specification(info.name, needed).description
      let explicit = Specification(info.name, needed + standard).description
      #expect(
        try Policies.named(explicit, variants: ["1", "2", "3"]).specification.description
          == explicit)
      let choices = try [short, explicit].map {
        wander(try freshState($0, variants: 3), steps: 150, seed: 7, reward: mixedReward(7))
      }
      #expect(choices[0].map(\.variant) == choices[1].map(\.variant), "\(info.name)")
      #expect(!info.source.isEmpty && !info.summary.isEmpty)
    }
  }
}
