/// Assigns dense indices to arms, in order of first appearance.
package struct ArmRegister: Sendable {
  /// The slot of a confirmation or goal that applies to every slot.
  static let everySlot = UInt32.max
  /// The point of a goal that applies to every point.
  static let everyPoint = UInt32.max

  /// The arms by their indices.
  package private(set) var arms: [Arm] = []
  private var table = IndexTable()

  /// Creates an empty register.
  package init() {}

  /// Creates a register of arms by their indices; nil if an arm occurs twice.
  package init?(_ arms: [Arm]) {
    for (place, arm) in arms.enumerated() where index(of: arm) != place { return nil }
  }

  /// Returns the index of an arm, adding the arm if needed.
  ///
  /// - Complexity: O(1) on average.
  package mutating func index(of arm: Arm) -> UInt32 {
    let location = table.find(Self.code(arm)) { arms[$0] == arm }
    if let index = location.index { return UInt32(index) }
    arms.append(arm)
    table.add(at: location)
    if table.isFull { table.grow(arms.lazy.map(Self.code)) }
    return UInt32(arms.count - 1)
  }

  @inline(__always)
  private static func code(_ arm: Arm) -> Int {
    IndexTable.code(
      UInt64(arm.experiment) << 32 | UInt64(arm.variant), UInt64(arm.point) << 32 | UInt64(arm.slot)
    )
  }
}
