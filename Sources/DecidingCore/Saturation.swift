extension Double {
  /// The nearest finite number.
  package var saturated: Double {
    Swift.min(Swift.max(self, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
  }
}

extension Int {
  /// Adds 1, unless a snapshot from elsewhere has counted as far as one can.
  package mutating func increment() {
    if self < .max { self += 1 }
  }
}
