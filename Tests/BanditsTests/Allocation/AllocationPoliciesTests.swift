import Bandits
import Specifications
import Testing

/// The reason why a text names no policy; nil when it does.
func refusal(of text: String, variants: [String] = []) -> String? {
  do throws(SpecificationError) {
    _ = try AllocationPolicies.named(text, variants: variants)
    return nil
  } catch { return error.description }
}

@Suite("Allocation policies by name")
struct AllocationPoliciesTests {
  @Test("every listed policy can be created from its name, as described")
  func everyPolicy() throws {
    let given = ["weights": "weights:values=3;1", "fixed": "fixed:variant=b"]
    for row in AllocationPolicies.all {
      let text = given[row.name] ?? row.name
      let policy = try AllocationPolicies.named(text, variants: ["a", "b"])
      #expect(policy.specification.description == text)
      #expect(policy.allocation(over: [ArmTally(), ArmTally()]).probabilities.count == 2)
      #expect(!row.source.isEmpty && !row.summary.isEmpty)
    }
    #expect(AllocationPolicies.all.map(\.name) == AllocationPolicies.all.map(\.name).sorted())
  }

  @Test("the listed defaults are the effective ones")
  func defaults() throws {
    let arms = [
      ArmTally(decisions: 9, rewarded: 3, sum: 3, squares: 3),
      ArmTally(decisions: 7, rewarded: 3, sum: 3, squares: 3),
    ]
    for row in AllocationPolicies.all {
      let parameters = row.parameters.compactMap { parameter in
        parameter.standard.map { Specification.Parameter(key: parameter.key, value: $0) }
      }
      guard !parameters.isEmpty else { continue }
      let explicit = try AllocationPolicies.named(Specification(row.name, parameters).description)
      let short = try AllocationPolicies.named(row.name)
      #expect(explicit.allocation(over: arms) == short.allocation(over: arms), "\(row.name)")
    }
  }

  @Test(
    "an invalid policy is rejected with a reason",
    arguments: [
      ("gredy", "unknown policy \"gredy\"; did you mean \"greedy\"?"),
      ("", "has no name"),
      ("uniform:x=1", "uniform has no parameter \"x\"; it takes none"),
      ("epsilon-greedy:epsilon=2", "epsilon=2 of epsilon-greedy must be a number from 0.0 to 1.0"),
      ("epsilon-greedy:epsilon=nan", "must be a number"),
      ("weights", "write weights:values=3;1;1"),
      ("weights:values=1;-1", "\"-1\" in values=1;-1 of weights"),
      ("weights:values=0;0", "no weight above 0"),
      ("weights:values=", "must be a number"),
      ("fixed", "write fixed:variant=NAME"),
      ("fixed:variant=c", #"available: "a", "b""#),
    ])
  func refused(text: String, reason: String) {
    #expect(refusal(of: text, variants: ["a", "b"])?.contains(reason) == true)
  }

  @Test("fixed without names of choices reports why it is invalid")
  func fixedWithoutNames() {
    #expect(refusal(of: "fixed:variant=a")?.contains("no choices are known here") == true)
  }
}
