/// Confidence levels in words.
public enum Percent {
  /// A part of 1 as per cent, such as `95 %` or `99.9 %`.
  public static func text(_ part: Double) -> String {
    let percent = (part * 1e8).rounded() / 1e6
    let whole = percent.rounded()
    return (percent == whole ? "\(Int(whole))" : "\(percent)") + " %"
  }
}
