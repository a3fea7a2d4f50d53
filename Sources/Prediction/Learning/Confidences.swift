internal import Statistics

/// Buffers of confidences and weights.
extension [Double] {
  /// Replaces the elements by the results of the closure, keeping the allocated memory.
  @inline(__always)
  mutating func refill(_ count: Int, _ value: (Int) -> Double) {
    if self.count != count {
      removeAll(keepingCapacity: true)
      for _ in 0..<count { append(0) }
    }
    var span = mutableSpan
    for place in 0..<count { span[place] = value(place) }
  }

  /// Changes each element by the closure.
  @inline(__always)
  mutating func change(_ body: (inout Double) -> Void) {
    var span = mutableSpan
    for place in span.indices { body(&span[place]) }
  }

  /// Replaces the logarithms of weights by the weights, which sum to 1.
  mutating func makeWeights() {
    let highest = self.max() ?? 0
    change { $0 = .exp($0 - highest) }
    let total = reduce(0, +)
    change { $0 /= total }
  }
}
