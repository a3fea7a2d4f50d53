import Statistics
import Testing

/// The distance of two numbers relative to the second one, or absolute if that is zero.
func relativeError(_ x: Double, _ reference: Double) -> Double {
  x == reference ? 0 : abs(x - reference) / (reference == 0 ? 1 : abs(reference))
}

/// Expects a number within a relative error of the reference, which was printed to so many digits.
func expectClose(
  _ value: Double?, _ reference: Double, _ error: Double = 1e-12,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let value else {
    Issue.record("there is no value; expected \(reference)", sourceLocation: sourceLocation)
    return
  }
  #expect(
    abs(value - reference) <= error * max(abs(reference), 1e-300),
    "\(value) is not \(reference)", sourceLocation: sourceLocation)
}

/// Expects an interval whose ends are within a relative error of the references.
func expectInterval(
  _ interval: Interval?, _ low: Double, _ high: Double, _ error: Double = 1e-11,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectClose(interval?.low, low, error, sourceLocation: sourceLocation)
  expectClose(interval?.high, high, error, sourceLocation: sourceLocation)
}
