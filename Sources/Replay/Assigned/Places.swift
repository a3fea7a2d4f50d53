/// A numbering of the places of a log: the points and slots of its experiments.
package struct Places: Sendable {
  /// For each arm, the number of its place: equal for equal experiment, point and slot.
  package let ofArms: [UInt32]
  /// For each number, the place as an arm without a variant.
  package let names: [Arm]
  private let arms: [Arm]

  /// Creates the places of the given arms.
  package init(_ arms: [Arm]) {
    var register = ArmRegister()
    ofArms = arms.map { arm in
      var place = arm
      place.variant = 0
      return register.index(of: place)
    }
    names = register.arms
    self.arms = arms
  }

  /// The number of places.
  package var count: Int { names.count }

  /// Returns the number of the place of an arm.
  @inline(__always)
  package subscript(arm: UInt32) -> UInt32 { ofArms[Int(arm)] }

  /// Returns whether a goal of a history can be credited at a place: it belongs to the place's experiment, and names
  /// no other point or slot.
  @inline(__always)
  func isCreditable(goalAt index: Int, of history: Span<UnitEvent>, at place: UInt32) -> Bool {
    guard history[index].experiment == names[Int(place)].experiment else { return false }
    return isNamed(byGoalAt: index, of: history, place)
  }

  /// Returns whether a goal or conversion can count at a place: a goal that can be credited there, or any conversion.
  @inline(__always)
  func isConcerned(byEventAt index: Int, of history: Span<UnitEvent>, _ place: UInt32) -> Bool {
    history[index].kind == .conversion || isCreditable(goalAt: index, of: history, at: place)
  }

  /// Returns whether an event, if it counts, makes a unit a converter at a place: a goal that can be credited there,
  /// or a conversion that is not negative.
  @inline(__always)
  func isConverting(eventAt index: Int, of history: Span<UnitEvent>, at place: UInt32) -> Bool {
    history[index].isConverting && isConcerned(byEventAt: index, of: history, place)
  }

  /// Returns whether a goal names no point or slot other than those of a place of its experiment.
  @inline(__always)
  func isNamed(byGoalAt index: Int, of history: Span<UnitEvent>, _ place: UInt32) -> Bool {
    guard let named = history.place(namedByGoalAt: index) else { return true }
    return isNamed(by: arms[Int(named)], place)
  }

  private func isNamed(by named: Arm, _ place: UInt32) -> Bool {
    let here = names[Int(place)]
    return (named.point == ArmRegister.everyPoint || named.point == here.point)
      && (named.slot == ArmRegister.everySlot || named.slot == here.slot)
  }
}

extension Span<UnitEvent> {
  /// Returns the point and slot that a goal of a history names, as an arm without a variant; nil if it names none.
  @inline(__always)
  func place(namedByGoalAt index: Int) -> UInt32? {
    // Read unconditionally: Swift 6.3.1 cannot optimize a conditional read.
    let previous = self[Swift.max(index - 1, 0)]
    return index > 0 && previous.kind == .goalPlace ? previous.subject : nil
  }
}
