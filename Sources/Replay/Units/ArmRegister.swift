/// Assigns dense indices to arms, in order of first appearance.
public struct ArmRegister: Sendable {
  /// The slot of a confirmation or goal that applies to every slot.
  static let everySlot = UInt32.max
  /// The point of a goal that applies to every point.
  static let everyPoint = UInt32.max

  /// The arms by their indices.
  public private(set) var arms: [Arm] = []
  /// An open-addressing hash table: the index of an arm plus one, 0 if free. At most half full.
  private var places = [UInt32](repeating: 0, count: 64)

  /// Creates an empty register.
  public init() {}

  /// Creates a register of arms by their indices; nil if an arm occurs twice.
  package init?(_ arms: [Arm]) {
    for (place, arm) in arms.enumerated() where index(of: arm) != place { return nil }
  }

  /// Returns the index of an arm, adding the arm if needed.
  ///
  /// - Complexity: O(1) on average.
  public mutating func index(of arm: Arm) -> UInt32 {
    var place = Self.hash(arm) & (places.count - 1)
    while places[place] != 0 {
      let index = places[place] - 1
      if arms[Int(index)] == arm { return index }
      place = (place + 1) & (places.count - 1)
    }
    arms.append(arm)
    places[place] = UInt32(arms.count)
    if arms.count * 2 > places.count { grow() }
    return UInt32(arms.count - 1)
  }

  private mutating func grow() {
    places = Array(repeating: 0, count: places.count * 2)
    for (index, arm) in arms.enumerated() {
      var place = Self.hash(arm) & (places.count - 1)
      while places[place] != 0 { place = (place + 1) & (places.count - 1) }
      places[place] = UInt32(index + 1)
    }
  }

  private static func hash(_ arm: Arm) -> Int {
    let first = UInt64(arm.experiment) << 32 | UInt64(arm.variant)
    let second = UInt64(arm.point) << 32 | UInt64(arm.slot)
    let mixed = (first &* 0x9E37_79B9_7F4A_7C15) ^ (second &* 0xC2B2_AE3D_27D4_EB4F)
    return Int(truncatingIfNeeded: ((mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9) >> 32)
  }
}
