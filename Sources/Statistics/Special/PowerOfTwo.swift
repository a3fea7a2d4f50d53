extension SpecialFunctions {
  /// 2ˣ, correctly rounded for integer `x`; 0 and infinity on underflow and overflow.
  public static func powerOfTwo(_ x: Double) -> Double { .exp2(x) }
}
