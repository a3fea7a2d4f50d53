import Statistics
import Testing

@Suite struct SplitMix64Tests {
  /// The first words of the reference implementation by S. Vigna.
  @Test func thePublishedWordsAreReproduced() {
    var fromZero = SplitMix64(seed: 0)
    #expect(
      (0..<3).map { _ in fromZero.next() } == [
        0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
      ])
    var generator = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }
}

@Suite struct Xoshiro256Tests {
  /// Words of the reference implementation from the state 1, 2, 3, 4, as published with Rust's
  /// rand_xoshiro.
  @Test func thePublishedWordsAreReproduced() {
    var generator = Xoshiro256(state: 1, 2, 3, 4)
    #expect(
      (0..<10).map { _ in generator.next() } == [
        41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386,
        9_228_616_714_210_784_205, 9_973_669_472_204_895_162, 14_011_001_112_246_962_877,
        12_406_186_145_184_390_807, 15_849_039_046_786_891_736, 10_450_023_813_501_588_000,
      ])
  }

  /// Words of an independent implementation in Python.
  @Test func seedingTakesFourWordsOfSplitMix64() {
    var generator = Xoshiro256(seed: 42)
    #expect(
      (0..<4).map { _ in generator.next() } == [
        0xD076_4D4F_4476_689F, 0x519E_4174_576F_3791, 0xFBE0_7CFB_0C24_ED8C, 0xB37D_9F60_0CD8_35B8,
      ])
  }

  /// Words of an independent implementation in Python.
  @Test func namedStreamsNeverChange() {
    var labelled = Xoshiro256(seed: 42, labels: ["bernoulli:means=0.1;0.2", "ucb1"], run: 7)
    #expect(
      (0..<3).map { _ in labelled.next() } == [
        0x3827_485F_3E93_BC69, 0x5CD8_6CDA_8DA9_244B, 0xB84D_0598_56C6_1316,
      ])
    var numbered = Xoshiro256(seed: 1, stream: [2, 3])
    #expect(
      (0..<3).map { _ in numbered.next() } == [
        0xDCB2_16A1_AE46_8B5B, 0x9480_98D3_8412_84E8, 0x853E_0794_4346_8260,
      ])
  }

  @Test func everyBitIsSetHalfOfTheTime() {
    var generator = Xoshiro256(seed: 5)
    var counts = [Int](repeating: 0, count: 64)
    let rounds = 20_000
    for _ in 0..<rounds {
      let word = generator.next()
      for bit in 0..<64 { counts[bit] += Int(word >> UInt64(bit) & 1) }
    }
    // Six standard deviations of a binomial count; 64 bits exceed it with a probability of 1e-7.
    let bound = 6 * (Double(rounds) / 4).squareRoot()
    for count in counts { #expect(abs(Double(count) - Double(rounds) / 2) <= bound) }
  }
}

@Suite struct StreamKeyTests {
  private func key(_ labels: String..., numbers: [UInt64] = []) -> StreamKey {
    var key = StreamKey(seed: 9)
    for label in labels { key.add(label) }
    for number in numbers { key.add(number) }
    return key
  }

  @Test func namesThatReadAlikeAreDifferentStreams() {
    let keys = [
      key(), key(""), key("", ""), key("ab"), key("a", "b"), key("b", "a"), key("ab", ""),
      key("", "ab"), key("a\0"), key("a"), key("12345678"), key("12345678\0"), key("1234567", "8"),
      key(numbers: [0]), key(numbers: [0, 0]), key(numbers: [1]), key(numbers: [1, 0]),
      key(numbers: [97]), key("a", numbers: [0]), StreamKey(seed: 0), StreamKey(seed: 1),
    ]
    #expect(Set(keys).count == keys.count)
  }

  @Test func manyRunsAreDifferentStreamsInBothHalves() {
    let keys = (0..<20_000).map { key("environment", "policy", numbers: [$0]) }
    // Two of 20 000 random words agree with a probability of 1e-11.
    #expect(Set(keys.map(\.first)).count == keys.count)
    #expect(Set(keys.map(\.second)).count == keys.count)
  }

  /// The sign of a product of two independent fair signs is fair: neighbouring streams share
  /// nothing.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func neighbouringStreamsAreUncorrelated(seed: UInt64) {
    let rounds = 20_000
    var (left, right) = (
      Xoshiro256(seed: seed, labels: ["x"], run: 0), Xoshiro256(seed: seed, labels: ["x"], run: 1)
    )
    let agreeing = (0..<rounds).reduce(0) { sum, _ in
      sum + 64 - (left.next() ^ right.next()).nonzeroBitCount
    }
    let bits = Double(64 * rounds)
    #expect(abs(Double(agreeing) - bits / 2) <= 5 * (bits / 4).squareRoot())
  }
}
