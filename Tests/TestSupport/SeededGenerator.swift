/// A generator whose numbers depend on the seed alone (SplitMix64), so that a failing case is found again by
/// its printed seed.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that draws the same numbers for the same seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Whether something that happens with the given probability happens.
  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// One of the numbers below `count`.
  public mutating func index(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// One of the elements, or the fallback when there are none.
  public mutating func pick<Element>(_ choices: [Element], or fallback: Element) -> Element {
    choices.randomElement(using: &self) ?? fallback
  }
}
