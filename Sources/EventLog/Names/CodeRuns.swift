/// Maps the codes of a vocabulary that have a name to dense indices, and back: usually a single run, with holes where
/// names were erased or lost.
struct CodeRuns: Sendable {
  private struct Run: Sendable {
    var code: UInt32
    var index: Int
  }

  /// The starts of the runs, in ascending order; the last run extends to `nextCode`.
  private var runs: [Run]
  /// The end of each run, since holes end where the next run begins.
  private var ends: [UInt32]
  private(set) var nextCode: UInt32
  /// The number of codes with a name.
  private(set) var count = 0

  init(firstCode: UInt32) {
    runs = [Run(code: firstCode, index: 0)]
    ends = [firstCode]
    nextCode = firstCode
  }

  /// Assigns the next codes to names.
  mutating func append(names: Int = 1) {
    guard names > 0 else { return }
    if ends[ends.count - 1] != nextCode {
      runs.append(Run(code: nextCode, index: count))
      ends.append(nextCode)
    }
    nextCode += UInt32(names)
    ends[ends.count - 1] = nextCode
    count += names
  }

  /// Leaves the next codes without a name.
  mutating func appendHoles(_ holes: UInt32) {
    nextCode += holes
  }

  /// Returns the index of a code; nil if it has no name.
  ///
  /// - Complexity: O(log(number of holes)).
  func index(of code: UInt32) -> Int? {
    guard runs.count > 1 else {
      return code >= runs[0].code && code < ends[0] ? Int(code - runs[0].code) : nil
    }
    let run = lastRun { $0.code <= code }
    guard code >= runs[run].code, code < ends[run] else { return nil }
    return runs[run].index + Int(code - runs[run].code)
  }

  /// Returns the code of an index.
  ///
  /// - Complexity: O(log(number of holes)).
  func code(at index: Int) -> UInt32 {
    let run = runs.count > 1 ? lastRun { $0.index <= index } : 0
    return runs[run].code + UInt32(index - runs[run].index)
  }

  /// Returns the last run for which the closure holds; it must hold for a prefix of the runs.
  private func lastRun(where isBefore: (Run) -> Bool) -> Int {
    var (low, high) = (0, runs.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if isBefore(runs[middle]) { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
