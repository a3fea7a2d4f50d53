internal import Specifications

/// The steps at which a run is measured.
public enum Checkpoints: Sendable, Hashable {
  /// 1, 2, 5, 10, 20, 50 and so on, and the horizon.
  case logarithmic
  /// Those of ``logarithmic``, and some 150 between them, enough for a smooth curve on a linear and on a logarithmic
  /// axis.
  case curve
  /// The given number of equally spaced steps, the last one at the horizon.
  case linear(Int)
  /// The given steps up to the horizon, and the horizon.
  case given([Int])

  /// Returns the distinct steps in ascending order, counted from 1, up to the horizon.
  ///
  /// - Parameter horizon: The number of steps in a run, at least 1.
  /// - Returns: At least the horizon itself.
  public func steps(horizon: Int) -> [Int] {
    var steps: Set<Int> = [horizon]
    switch self {
    case .curve:
      steps.formUnion(Self.linear(100).steps(horizon: horizon))
      // In the ratio of about 1.2.
      steps.formUnion(Self.decades([10, 12, 15, 18, 20, 22, 27, 33, 40, 50, 60, 75, 90], horizon))
    case .logarithmic: steps.formUnion(Self.decades([10, 20, 50], horizon))
    case .linear(let count):
      let parts = min(max(count, 1), horizon)
      for part in 1...parts {
        // Rounds down to a step without leaving the range of Int.
        let (high, low) = horizon.multipliedFullWidth(by: part)
        steps.insert(parts.dividingFullWidth((high, low)).quotient)
      }
    case .given(let given): steps.formUnion(given)
    }
    return steps.filter { $0 >= 1 && $0 <= horizon }.sorted()
  }

  /// Returns some tenths of each power of ten, rounded down.
  private static func decades(_ tenths: [Int], _ horizon: Int) -> [Int] {
    var steps: [Int] = []
    var decade = 1
    while decade <= horizon {
      // At most nine decades, which do not overflow.
      steps += tenths.map { decade * ($0 / 10) + decade * ($0 % 10) / 10 }
      let (next, isOver) = decade.multipliedReportingOverflow(by: 10)
      if isOver { break }
      decade = next
    }
    return steps
  }
}

extension Checkpoints {
  /// Parses `log`, `linear:50`, `1,10,100` or `1;10;100`; returns nil for anything else.
  public init?(_ text: String) {
    if text == "log" {
      self = .logarithmic
      return
    }
    if text.hasPrefix("linear:") {
      guard let count: Int = WrittenValue.integer(text.dropFirst("linear:".count)), count >= 1
      else { return nil }
      self = .linear(count)
      return
    }
    let parts = WrittenValue.elements(text)
    let steps: [Int] = parts.compactMap { WrittenValue.integer($0) }
    guard steps.count == parts.count, steps.allSatisfy({ $0 >= 1 }) else { return nil }
    self = .given(steps)
  }
}
