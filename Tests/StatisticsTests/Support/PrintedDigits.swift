import Testing

/// Expects a number that agrees with a printed one to all its digits: within half a unit of the last digit.
func expectPrinted(
  _ value: Double?, _ printed: String, _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let parts = printed.split(separator: "e")
  let fraction = parts.first?.split(separator: ".", omittingEmptySubsequences: false)
  let places = (fraction?.count ?? 0) > 1 ? fraction?.last?.count ?? 0 : 0
  var unit = Double("1e\((parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - places)") ?? .nan
  // Numbers of a few digits, such as 1 or 0.0046, are printed whole.
  let digits = parts.first?.drop { "0.".contains($0) }.filter(\.isNumber).count ?? 0
  if digits <= 5, let reference = Double(printed) { unit = min(unit, abs(reference) * 1e-7) }
  guard let value, let reference = Double(printed) else {
    Issue.record("\(comment): no value; expected \(printed)", sourceLocation: sourceLocation)
    return
  }
  #expect(
    abs(value - reference) <= 0.5001 * unit + 1e-12 * abs(reference),
    "\(comment): \(value) is not \(printed)", sourceLocation: sourceLocation)
}
