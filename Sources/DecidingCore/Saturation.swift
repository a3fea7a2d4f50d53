extension Double {
  /// The nearest finite number.
  package var saturated: Double {
    Swift.min(Swift.max(self, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
  }
}

extension Int {
  /// Adds 1, without overflow: a snapshot from elsewhere can contain the maximum.
  package mutating func increment() {
    if self < .max { self += 1 }
  }
}
