extension SpecialFunctions {
  /// 2ˣ, correctly rounded for whole `x`; 0 and infinity where the result is too small or too large.
  public static func powerOfTwo(_ x: Double) -> Double { .exp2(x) }
}
