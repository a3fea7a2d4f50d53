import Specifications
import Statistics
import Testing

@testable import Bandits

@Suite("Labelled examples as a bandit")
struct SupervisedEnvironmentTests {
  private func make(_ csv: String, _ parameters: String) throws -> SupervisedEnvironment {
    try SupervisedEnvironment(
      try Specification(parsing: "supervised:path=a.csv,\(parameters)"),
      EnvironmentSources(text: { _ in csv }))
  }

  @Test("numbers are standardized, words one-hot encoded, and empty fields imputed")
  func features() throws {
    let environment = try make(
      "id,size,colour,same,kind\n1,1,red,7,b\n2,3,blue,7,a\n3,5,red,7,b\n4,,,7,c\n",
      "label=kind,ignore=id")
    #expect(environment.variantNames == ["a", "b", "c"])
    #expect(environment.features.names == ["1", "size", "colour=", "colour=blue", "colour=red"])
    // 1, 3 and 5 have the mean 3 and the variance 8/3.
    let unit = 2 / (8 / 3.0).squareRoot()
    let expected = [
      [1, -unit, 0, 0, 1], [1, 0, 0, 1, 0], [1, unit, 0, 0, 1], [1, 0, 1, 0, 0],
    ]
    #expect(
      zip(environment.features.values, expected.joined()).allSatisfy { abs($0 - $1) < 1e-15 })
    #expect(environment.features.values.count == 20)
    let problem = environment.problem(horizon: 3)
    #expect(problem.sharedFeatures == 5 && problem.variants == 3 && problem.rewards == 0...1)
  }

  @Test("each pass shows every example once, shuffled, and rewards the right label")
  func passes() throws {
    let rows = (0..<20).map { "\($0),\($0 % 3)\n" }.joined()
    let environment = try make("x,label\n" + rows, "label=label")
    let places = (0..<20).map { environment.features.values[2 * $0 + 1] }
    var orders: [[Int]] = []
    for seed in 1...2 as ClosedRange<UInt64> {
      var run = environment.makeRun(StreamKey(seed: seed), horizon: 40).stepwise
      for pass in 0..<2 {
        var order: [Int] = []
        for step in 20 * pass..<20 * pass + 20 {
          run.begin(step)
          let example = try #require(places.firstIndex(of: run.context.shared[1]))
          order.append(example)
          for variant in 0..<3 {
            #expect(run.mean(variant) == (variant == example % 3 ? 1 : 0))
            #expect(run.reward(variant) == run.mean(variant))
          }
          #expect(run.optimum == 1)
        }
        #expect(order.sorted() == Array(0..<20))
        orders.append(order)
      }
    }
    #expect(Set(orders).count == 4)
  }

  @Test("invalid tables of examples are rejected with the position")
  func refused() throws {
    let many = (0..<1001).map { "\($0)x,1\n" }.joined()
    for (csv, parameters, reason) in [
      ("a,b\n", "label=b", "no examples"), ("a,b\n1,2\n", "label=c", "one of the columns"),
      ("a,b\n1,\n", "label=b", "line 2"), ("a,b\n" + many, "label=a", "1001 different labels"),
      ("a,b\n" + many, "label=b", "ignore=a"), ("", "label=b", "is empty"),
    ] {
      let error = #expect(throws: SpecificationError.self) { try make(csv, parameters) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
  }
}
