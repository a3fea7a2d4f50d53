public import Replay
public import Tables

extension TableColumn {
  /// Returns the additional columns of a report that is broken down by a dimension.
  public static func breakdown(_ dimension: Dimension?) -> [TableColumn] {
    guard dimension != nil else { return [] }
    return [
      .key("dimension", .text, "what the rows are broken down by"),
      .key("dimension_value", .text, "its value at the time of the decision; empty when unknown"),
    ]
  }
}

extension TableCell {
  /// Returns the cells of the breakdown columns.
  public static func breakdown(_ dimension: Dimension?, _ value: DimensionValue) -> [TableCell] {
    guard let dimension else { return [] }
    return [.text(dimension.description), TableCell(value.text)]
  }
}
