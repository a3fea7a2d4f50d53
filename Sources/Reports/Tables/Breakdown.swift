public import Replay

extension ReportColumn {
  /// The columns that a report has behind its own when it is broken down by a dimension.
  public static func breakdown(_ dimension: Dimension?) -> [ReportColumn] {
    guard dimension != nil else { return [] }
    return [
      .key("dimension", .text, "what the rows are broken down by"),
      .key("dimension_value", .text, "its value at the time of the decision; empty when unknown"),
    ]
  }
}

extension ReportCell {
  /// The cells of those columns.
  public static func breakdown(_ dimension: Dimension?, _ value: DimensionValue) -> [ReportCell] {
    guard let dimension else { return [] }
    return [.text(dimension.description), ReportCell(value.text)]
  }
}

/// Confidence levels in words.
public enum Percent {
  /// A part of 1 as per cent, such as `95 %` or `99.9 %`.
  public static func text(_ part: Double) -> String {
    let percent = (part * 1e8).rounded() / 1e6
    let whole = percent.rounded()
    return (percent == whole ? "\(Int(whole))" : "\(percent)") + " %"
  }
}
