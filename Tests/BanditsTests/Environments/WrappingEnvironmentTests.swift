import Testing

@testable import Bandits

@Suite("Wrapping environments")
struct WrappingEnvironmentTests {
  @Test("delays are geometric with their mean")
  func geometric() throws {
    var run = try steps("delayed:environment=(bernoulli:means=0.5),mean=4")
    let delays = (0..<10_000).map { step in
      run.begin(step)
      return Double(run.delay())
    }
    #expect(hasMean(delays, 4))
    for d in 0..<15 {
      let tail = (0..<d).reduce(1.0) { product, _ in product * 0.8 }
      #expect(hasMean(delays.map { $0 >= Double(d) ? 1 : 0 }, tail), "\(d)")
    }
  }

  @Test("delays add up, and 0 is at once")
  func fixed() throws {
    for (text, delay) in [
      ("delayed:environment=(bernoulli:means=0.5),steps=7", 7),
      ("delayed:environment=(bernoulli:means=0.5),mean=0", 0),
      ("delayed:environment=(delayed:environment=(bernoulli:means=0.5),steps=7),steps=5", 12),
    ] {
      var run = try steps(text)
      run.begin(0)
      #expect(run.delay() == delay, "\(text)")
    }
  }

  @Test("rewards and distributions are those of the wrapped environment")
  func inside() throws {
    let text = "delayed:environment=(gaussian:means=1;2),mean=4"
    #expect(
      try sample(text, variant: 1, count: 50)
        == sample("gaussian:means=1;2", variant: 1, count: 50))
    let arms = try EnvironmentExamples.make(text).arms
    #expect(try EnvironmentExamples.make("gaussian:means=1;2").arms == arms)
  }

  @Test("a policy with delayed rewards learns later")
  func late() throws {
    func regret(_ text: String) throws -> Double {
      try outcomes("ucb1-tuned", text, horizon: 400, runs: 20)
        .reduce(0) { $0 + ($1.points.last?.regret ?? .nan) }
    }
    let prompt = try regret("bernoulli:means=0.1;0.9")
    let late = try regret("delayed:environment=(bernoulli:means=0.1;0.9),steps=100")
    let never = try regret("delayed:environment=(bernoulli:means=0.1;0.9),steps=400")
    #expect(prompt < late && late < never)
  }

  @Test("variants are unavailable at the given decisions, and the optimum accounts for it")
  func schedule() throws {
    let text =
      "schedule:environment=(bernoulli:means=0.1;0.5;0.9),absent=3@1-2;2@4-6;2@5-7;3@7-"
    var run = try steps(text)
    var seen: [String] = []
    for step in 0..<9 {
      run.begin(step)
      let there = try #require(run.available).enumerated().filter(\.element).map { $0.offset + 1 }
      seen.append(there.map(String.init).joined() + ":\(run.optimum)")
    }
    #expect(
      seen == [
        "12:0.5", "12:0.5", "123:0.9", "13:0.9", "13:0.9", "13:0.9", "1:0.1", "12:0.5", "12:0.5",
      ])
    #expect(try EnvironmentExamples.make(text).problem(horizon: 9).hasUnavailableVariants)
  }

  @Test("policies do not choose unavailable variants")
  func missing() throws {
    let outcome = try #require(
      try outcomes(
        "ucb1", "schedule:environment=(bernoulli:means=0.1;0.5;0.9),absent=3@1-100", horizon: 100,
        runs: 1
      ).first)
    #expect(outcome.choices[2] == 0)
    #expect(outcome.choices.reduce(0, +) == 100)
  }
}
