/// Percentages as text.
package enum Percent {
  /// Formats a fraction as a percentage, such as `95 %`, `99.9 %` or, of 1 - 0.05/3, `98.33 %`.
  package static func text(_ part: Double) -> String {
    let exact = (part * 1e8).rounded() / 1e6
    // Most levels have few digits; of others two decimals are enough.
    let isShort = (exact * 1e4).rounded() == exact * 1e4
    let percent = isShort ? exact : (exact * 100).rounded() / 100
    let whole = Int(exactly: percent).map { "\($0)" }
    return (whole ?? "\(percent)") + " %"
  }
}
