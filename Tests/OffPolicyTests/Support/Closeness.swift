import Statistics
import Testing

/// Expects a number within a relative error of the reference.
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
