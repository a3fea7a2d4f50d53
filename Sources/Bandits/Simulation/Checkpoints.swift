internal import Specifications

/// The steps at which a run is measured.
public enum Checkpoints: Sendable, Hashable {
  /// 1, 2, 5, 10, 20, 50 and so on, and the horizon.
  case logarithmic
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
    case .logarithmic:
      var decade = 1
      while decade <= horizon {
        for factor in [1, 2, 5] {
          let (step, isOver) = decade.multipliedReportingOverflow(by: factor)
          if !isOver { steps.insert(step) }
        }
        let (next, isOver) = decade.multipliedReportingOverflow(by: 10)
        if isOver { break }
        decade = next
      }
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
