/// Numbers drawn in one line of text, each as a block whose height shows it.
package enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█").map(String.init)
  private static let ascii = Array("_.:-=+*#").map(String.init)

  /// Returns a line with a block for each number, or for the mean of several neighbours if there are more than fit.
  ///
  /// - Parameters:
  ///   - values: The numbers; nil, shown as a space, where there is none.
  ///   - top: The number with the highest block, above 0; nil for the greatest one. The lowest block is 0 and below.
  ///   - width: The greatest length of the line, at least 1.
  ///   - allowsUnicode: Whether blocks may be used; else characters of ASCII, from `_` up to `#`.
  /// - Returns: The line.
  package static func text(
    _ values: [Double?], top: Double? = nil, width: Int, allowsUnicode: Bool = true
  ) -> String {
    let marks = allowsUnicode ? blocks : ascii
    let means = grouped(values, by: max(1, (values.count + width - 1) / max(1, width)))
    let top = top ?? means.compactMap { $0 }.max() ?? 0
    return means.map { value in
      guard let value else { return " " }
      guard top > 0, value > 0 else { return marks[0] }
      let level = (value / top * Double(marks.count - 1)).rounded()
      return marks[min(marks.count - 1, Int(level))]
    }.joined()
  }

  /// Returns the mean of each group of neighbours; nil for one without numbers.
  private static func grouped(_ values: [Double?], by size: Int) -> [Double?] {
    stride(from: 0, to: values.count, by: size).map { start in
      let group = values[start..<min(start + size, values.count)].compactMap { $0 }
      return group.isEmpty ? nil : group.reduce(0, +) / Double(group.count)
    }
  }
}
