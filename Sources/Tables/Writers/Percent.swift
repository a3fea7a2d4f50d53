/// Percentages as text.
public enum Percent {
  /// Formats a fraction as a percentage, such as `95 %` or `99.9 %`.
  public static func text(_ part: Double) -> String {
    let percent = (part * 1e8).rounded() / 1e6
    let whole = Int(exactly: percent).map { "\($0)" }
    return (whole ?? "\(percent)") + " %"
  }
}
