internal import Statistics

/// A state that chooses, after the variants never chosen, the one whose turn it is or the one with the largest index.
///
/// The draw, the probabilities and what is noted of a choice follow from the same rule.
protocol IndexedState: AllocatingState {
  /// The tallies.
  var table: ArmTable { get set }

  /// The variant that every decision chooses from now on; nil (the default) for none.
  var found: Int? { get }

  /// Prepares ``turn`` and ``index(_:)`` for the next decision; called once for each (default: does nothing).
  mutating func prepare()

  /// The variant whose turn it is, whatever the indices; nil (the default) if the largest index decides.
  var turn: Int? { get }

  /// Returns the index of a variant (default: the same for all). NaN never wins.
  func index(_ variant: Int) -> Double

  /// Records a choice (default: does nothing).
  ///
  /// - Parameters:
  ///   - variant: The variant.
  ///   - isFirst: Whether the choice was one among those never made.
  mutating func take(_ variant: Int, isFirst: Bool)
}

extension IndexedState {
  var found: Int? { nil }

  mutating func prepare() {}

  var turn: Int? { nil }

  func index(_ variant: Int) -> Double { 0 }

  mutating func take(_ variant: Int, isFirst: Bool) {}

  @inline(__always)
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    decide(&random)
  }

  @inline(__always)
  mutating func decide(_ random: inout Xoshiro256) -> Choice {
    if let found { return Choice(found) }
    prepare()
    if let first = table.roster.unchosen(&random) {
      take(first.variant, isFirst: true)
      return first
    }
    let choice = turn.map { Choice($0) } ?? table.roster.largest(&random) { index($0) }
    take(choice.variant, isFirst: false)
    return choice
  }

  public var allocation: Allocation {
    if let found { return .only(found, of: table.arms.count) }
    if let first = table.roster.unchosenAllocation { return first }
    var next = self
    next.prepare()
    return next.nextShares
  }

  /// The probabilities once the next decision is prepared, and no variant was never chosen.
  fileprivate var nextShares: Allocation {
    turn.map { .only($0, of: table.arms.count) } ?? .shared(amongLargest: table.indices.map { index($0) })
  }

  public mutating func note(_ variant: Int) {
    guard found == nil else { return }
    let isFirst = !table.roster.isSettled
    table.roster.settle(variant)
    take(variant, isFirst: isFirst)
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }

  public var recommendation: Int? { found }

  public var hasStopped: Bool { found != nil }
}

/// An indexed state whose next decision depends on those before: a choice that the rule would not make changes nothing.
protocol TurnState: IndexedState {}

extension TurnState {
  public mutating func note(_ variant: Int) {
    guard found == nil else { return }
    prepare()
    let isFirst = !table.roster.isSettled
    if isFirst {
      table.roster.settle(variant)
    } else if nextShares.probabilities[variant] == 0 {
      return
    }
    take(variant, isFirst: isFirst)
  }
}
