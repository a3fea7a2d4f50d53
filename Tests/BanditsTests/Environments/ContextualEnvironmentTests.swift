import Statistics
import Testing

@testable import Bandits

@Suite("Environments with contexts")
struct ContextualEnvironmentTests {
  @Test("contexts are uniform on the unit sphere")
  func sphere() throws {
    var run = try steps("linear:variants=2,features=3")
    var firsts: [Double] = []
    for step in 0..<5000 {
      run.begin(step)
      let x = run.context.shared
      #expect(abs(x.reduce(0) { $0 + $1 * $1 } - 1) < 1e-12)
      firsts.append(x[0])
    }
    // On the sphere in three dimensions each coordinate is uniform in −1 ... 1 (Archimedes).
    #expect(distanceRatio(firsts) { ($0 + 1) / 2 } < 1)
  }

  @Test("means are linear in a shared context, with weights of length 1 for each variant")
  func shared() throws {
    var run = try steps("linear:variants=3,features=2,noise=0")
    run.begin(0)
    let (x, first) = (run.context.shared, (0..<3).map { run.mean($0) })
    run.begin(1)
    let (y, second) = (run.context.shared, (0..<3).map { run.mean($0) })
    let determinant = x[0] * y[1] - x[1] * y[0]
    for variant in 0..<3 {
      let a = (first[variant] * y[1] - second[variant] * x[1]) / determinant
      let b = (second[variant] * x[0] - first[variant] * y[0]) / determinant
      #expect(abs(a * a + b * b - 1) < 1e-9)
      var later = run
      for step in 2..<50 {
        later.begin(step)
        let z = later.context.shared
        #expect(abs(later.mean(variant) - (a * z[0] + b * z[1])) < 1e-9)
        #expect(later.reward(variant) == later.mean(variant))
      }
    }
  }

  @Test("with a context per variant the weights are shared")
  func perVariant() throws {
    var run = try steps("linear:variants=4,features=1,contexts=variants,noise=0")
    run.begin(0)
    let weight = run.mean(0) / run.context.variants[0]
    #expect(abs(weight) == 1)
    for step in 1..<20 {
      run.begin(step)
      for variant in 0..<4 { #expect(run.mean(variant) == weight * run.context.variants[variant]) }
    }
  }

  @Test("a seed fixes the weights for all runs, and nothing else")
  func seeds() throws {
    func first(_ text: String, _ seed: UInt64) throws -> ([Double], Double) {
      var run = try steps(text, seed: seed)
      run.begin(0)
      // With one feature the mean is the weight, or its opposite.
      return ((0..<30).map { run.mean($0) * run.context.shared[0] }, run.reward(0))
    }
    let fixed = "linear:variants=30,features=1,seed=5"
    #expect(try first(fixed, 1).0 == first(fixed, 2).0)
    #expect(try first(fixed, 1).1 != first(fixed, 2).1)
    let drawn = "linear:variants=30,features=1"
    #expect(try first(drawn, 1).0 != first(drawn, 2).0)
    #expect(try first(fixed, 1).0 != first("linear:variants=30,features=1,seed=6", 1).0)
  }

  @Test("noise is normal with its deviation")
  func noise() throws {
    var run = try steps("linear:variants=2,features=3,noise=0.25")
    let rests = (0..<5000).map { step in
      run.begin(step)
      return run.reward(1) - run.mean(1)
    }
    #expect(distanceRatio(rests) { StandardNormal.cdf($0 / 0.25) } < 1)
  }

  @Test("log-odds are linear in the context")
  func logistic() throws {
    var run = try steps("logistic:variants=2,features=1,scale=2,intercept=-1")
    for step in 0..<50 {
      run.begin(step)
      // 1/(1 + e⁻¹) and 1/(1 + e³).
      let mean = run.mean(0)
      #expect(abs(mean - 0.7310585786300049) < 1e-12 || abs(mean - 0.04742587317756678) < 1e-12)
    }
    #expect(try EnvironmentExamples.make("logistic").problem(horizon: 1).rewards == 0...1)
  }
}
