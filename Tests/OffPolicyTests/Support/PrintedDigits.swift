import Testing

@testable import OffPolicy
@testable import Statistics

/// Expects a number that agrees with one printed to so many significant digits, whose trailing zeros may be left out.
func expectPrinted(
  _ value: Double?, _ printed: String, digits: Int, _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let value, let reference = Double(printed) else {
    Issue.record("\(comment): no value; expected \(printed)", sourceLocation: sourceLocation)
    return
  }
  let exponent = reference == 0 ? 0 : (Double.log(abs(reference)) / Double.log(10)).rounded(.down)
  let unit = reference == 0 ? 0 : Double.pow(10, exponent - Double(digits - 1))
  #expect(
    abs(value - reference) <= 0.5001 * unit, "\(comment): \(value) is not \(printed)",
    sourceLocation: sourceLocation)
}
