import Testing

@testable import Statistics

@Suite("Agreement of options predicted and taken")
struct AgreementTests {
  @Test("the order of the options changes no bit")
  func order() {
    var random = Xoshiro256(seed: 11)
    for round in 0..<300 {
      var options = (0..<(2 + round % 9)).map { _ in
        let taken = Int(random.next() % 1_000)
        return Agreement.Option(
          taken: taken, predicted: Int(random.next() % 1_000),
          right: Int(random.next() % UInt64(taken + 1)))
      }
      let agreement = Agreement(options)
      options.shuffle(using: &random)
      let shuffled = Agreement(options)
      #expect(agreement.entropy == shuffled.entropy, "round \(round) of seed 11")
      #expect(agreement.kappa == shuffled.kappa, "round \(round) of seed 11")
      #expect(agreement.macroF1 == shuffled.macroF1, "round \(round) of seed 11")
    }
  }
}
