import Statistics

/// One of our elementary functions, with the arguments that its golden hash is made from.
struct ElementaryFunction: Sendable, CustomStringConvertible {
  var name: String
  /// The value; functions of one argument ignore the second.
  var evaluate: @Sendable (Double, Double) -> Double
  /// Bit patterns between which arguments are drawn; a range for every part of the function.
  var ranges: [Range<UInt64>]
  /// Whether every other argument is negated.
  var isSigned: Bool
  /// The largest error that the documentation states, in units in the last place.
  var bound: Double
  /// The hash of 100,000 values.
  var golden: UInt64

  var description: String { name }

  init(
    _ name: String, _ ranges: [ClosedRange<Double>], isSigned: Bool = true, bound: Double,
    golden: UInt64, _ evaluate: @escaping @Sendable (Double, Double) -> Double
  ) {
    self.name = name
    self.evaluate = evaluate
    self.ranges = ranges.map { $0.lowerBound.bitPattern..<$0.upperBound.bitPattern }
    self.isSigned = isSigned
    self.bound = bound
    self.golden = golden
  }

  /// A hash of the bits of the values at 100,000 pseudo-random arguments; it differs when one bit does.
  var hash: UInt64 {
    var random = SplitMix64(seed: 17)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<100_000 {
      let (first, second) = (random.next(), random.next())
      let range = ranges[index % ranges.count]
      var x = Double(bitPattern: range.lowerBound + (first >> 1) % UInt64(range.count))
      if isSigned, first & 1 == 1 { x = -x }
      // From 2⁻¹⁶ to 2¹⁶, of either sign.
      let exponent = 0x3EF0_0000_0000_0000 + (second >> 1) % 0x0200_0000_0000_0000
      let y = Double(bitPattern: exponent | second << 63)
      hash = (hash ^ evaluate(x, y).bitPattern) &* 0x100_0000_01B3
      hash ^= hash >> 29
    }
    return hash
  }

  private static let all: ClosedRange<Double> =
    .leastNonzeroMagnitude ... .greatestFiniteMagnitude

  /// All of them.
  static let functions: [ElementaryFunction] = [
    ElementaryFunction(
      "log", [0.5...2, all, 0.93...1.07], isSigned: false, bound: 0.55,
      golden: 0x3DC6_CEAF_B47B_C2D2
    ) { x, _ in Double.log(x) },
    ElementaryFunction(
      "log2", [0.5...2, all, 0.99...1.01], isSigned: false, bound: 0.51,
      golden: 0xC010_2DFB_0C5D_DAFD
    ) { x, _ in Double.log2(x) },
    ElementaryFunction(
      "log10", [0.5...2, all, 0.99...1.01], isSigned: false, bound: 0.51,
      golden: 0xB10D_60EA_1784_683D
    ) { x, _ in Double.log10(x) },
    ElementaryFunction(
      "log1p", [0x1p-12...0.999, 0x1p-60...0x1p-7, 0.5...1e9], bound: 0.53,
      golden: 0x4BE3_8A76_3249_6D32
    ) { x, _ in Double.log(onePlus: x) },
    ElementaryFunction(
      "exp", [0x1p-10...700, 0x1p-60...1, 690...746], bound: 0.52, golden: 0x58B8_7785_626A_313C
    ) {
      x, _ in Double.exp(x)
    },
    ElementaryFunction(
      "expm1", [0x1p-10...50, 0x1p-60...1, 0.03...0.2], bound: 0.65, golden: 0x5A2A_4DAE_2505_E4AC
    ) {
      x, _ in Double.expMinusOne(x)
    },
    ElementaryFunction(
      "exp2", [0x1p-10...1000, 0x1p-60...1, 990...1080], bound: 0.52, golden: 0xF86C_C57F_A53F_0C2E
    ) {
      x, _ in Double.exp2(x)
    },
    ElementaryFunction(
      "exp10", [0x1p-10...300, 0x1p-60...1, 290...330], bound: 0.52, golden: 0x1E15_A3B4_9E98_46F3
    ) {
      x, _ in Double.exp10(x)
    },
    ElementaryFunction(
      "pow", [0.5...2, all, 0.99...1.01], isSigned: false, bound: 0.53,
      golden: 0x2C38_A2B4_825A_3289
    ) {
      x, y in Double.pow(x, y)
    },
    ElementaryFunction(
      "sin", [0x1p-10...7, 0x1p-60...1, 1...all.upperBound], bound: 0.85,
      golden: 0x1F28_EB55_59C4_2989
    ) {
      x, _ in Double.sin(x)
    },
    ElementaryFunction(
      "cos", [0x1p-10...7, 0x1p-60...1, 1...all.upperBound], bound: 0.85,
      golden: 0x9884_5852_70D9_195F
    ) {
      x, _ in Double.cos(x)
    },
    ElementaryFunction(
      "asin", [0x1p-6...1, 0.4...0.6, 0x1p-40...1], bound: 0.7, golden: 0x0207_1ED5_9B3A_B104
    ) {
      x, _ in Double.asin(x)
    },
    ElementaryFunction(
      "acos", [0x1p-6...1, 0.4...0.6, 0x1p-40...1], bound: 0.7, golden: 0x380A_97BA_C68F_5FBF
    ) {
      x, _ in Double.acos(x)
    },
    ElementaryFunction(
      "asinh", [0x1p-6...8, 0.1...0.2, 1...all.upperBound], bound: 0.55,
      golden: 0x14D2_693D_7F9A_3B0B
    ) {
      x, _ in Double.asinh(x)
    },
    ElementaryFunction(
      "erf", [0x1p-6...1, 0.4...6.5, 0x1p-40...1], bound: 0.85, golden: 0x3CF1_6C23_54B4_4AA4
    ) {
      x, _ in Double.erf(x)
    },
    ElementaryFunction(
      "erfc", [0x1p-6...1, 0.4...6.5, 0.5...28], bound: 0.85, golden: 0x8AC2_17C1_5EE0_A5F4
    ) {
      x, _ in Double.erfc(x)
    },
    ElementaryFunction(
      "logGamma", [0x1p-20...3, 2...12, 10...1e300], isSigned: false, bound: 0.6,
      golden: 0xB1BD_27C7_67E7_5B0E
    ) { x, _ in Double.logGamma(x) },
  ]
}
