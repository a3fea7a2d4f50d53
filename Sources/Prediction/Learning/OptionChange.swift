/// A change of the options of a study, or of their counts.
public enum OptionChange: Sendable {
  /// The study starts anew with options that were taken and encountered so often; everything learned before is
  /// discarded.
  case define(takes: [Int], encounters: Int)
  /// An option is appended; the encounters of the others are raised to its own.
  case add(takes: Int, encounters: Int)
  /// The counts of an option are replaced; the encounters of the others are raised to its own.
  case revise(Int, takes: Int, encounters: Int)
  /// Every option that the same event does not revise is encountered more often.
  case raise(by: Int)
  /// An option is removed. With the last one, everything learned is discarded.
  case remove(Int)
}

extension OptionChange {
  /// Returns the number of options after the change, given the number before.
  @inline(__always)
  public func count(after count: Int) -> Int {
    switch self {
    case .define(let takes, _): takes.count
    case .add: count.addingCount(1)
    case .remove: removal(from: count) == nil ? count : count - 1
    case .revise, .raise: count
    }
  }

  /// Returns the option that the change removes, given the number of options before; nil if it removes none of them.
  @inline(__always)
  public func removal(from count: Int) -> Int? {
    if case .remove(let option) = self, option >= 0, option < count { option } else { nil }
  }

  /// Returns whether nothing that was learned before remains, given the number of options after the change.
  @inline(__always)
  public func startsAnew(leaving count: Int) -> Bool {
    if case .define = self { true } else { count == 0 }
  }
}
