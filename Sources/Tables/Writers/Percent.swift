/// Percentages as text.
package enum Percent {
  /// Formats a fraction as a percentage, such as `95 %` or `99.9 %`.
  package static func text(_ part: Double) -> String {
    let percent = (part * 1e8).rounded() / 1e6
    let whole = Int(exactly: percent).map { "\($0)" }
    return (whole ?? "\(percent)") + " %"
  }
}
