/// The layout of a table's columns within a given width.
enum TerminalLayout: Equatable {
  /// Several tables, one below the other; each starts with the key columns.
  case blocks([[PlacedColumn]])
  /// Each row as a list of names and values, if not even the keys fit side by side.
  case records

  /// A column with its assigned width.
  struct PlacedColumn: Equatable {
    /// The index of the column in the table.
    var index: Int
    /// The width on the terminal, in columns.
    var width: Int
  }

  /// The measurements of a column that the layout depends on.
  struct Measured {
    /// The width of the heading.
    var heading: Int
    /// The width of the widest cell.
    var cells: Int
    /// Whether long cells may be truncated; numbers never are, as a truncated number is a wrong number.
    var canBeCut: Bool
    /// Whether the column starts each block.
    var isKey: Bool
    /// The width of the heading on several lines.
    var wrappedHeading = 0

    /// The measurements with the heading on several lines.
    var withWrappedHeading: Self {
      var measured = self
      measured.heading = min(heading, max(wrappedHeading, cells))
      return measured
    }

    /// The width without truncation.
    var natural: Int { max(heading, cells) }

    /// The minimum width before columns are moved to another block.
    var comfortable: Int { canBeCut ? min(natural, max(heading, 12)) : natural }

    /// The minimum width at which cells and headings are recognisable.
    var least: Int { canBeCut ? min(natural, 6) : max(cells, min(heading, 6)) }
  }

  /// The spaces between two columns.
  static let gap = 2

  /// The length above which a text is a sentence rather than a name.
  static let sentence = 40

  /// Returns whether the columns fit side by side without truncation.
  static func fits(_ columns: [Measured], width: Int) -> Bool {
    columns.reduce(0) { $0 + $1.natural } + gap * max(0, columns.count - 1) <= width
  }

  /// Returns the layout: unchanged if it fits; else with long texts truncated; else in several blocks; else as
  /// records.
  static func plan(_ columns: [Measured], width: Int) -> TerminalLayout {
    let all = columns.enumerated().map { PlacedColumn(index: $0, width: $1.natural) }
    // Sentences are measured to be read; truncated names can still be told apart.
    let hasSentences = columns.contains { !$0.isKey && $0.canBeCut && $0.cells > sentence }
    if hasSentences, total(all) > width { return .records }
    if let row = narrowed(all, to: width, floor: { columns[$0].comfortable }) {
      return .blocks([row])
    }
    let keys = all.filter { columns[$0.index].isKey }
    let measures = all.filter { !columns[$0.index].isKey }
    // Readable names are worth another block. Where they do not fit, half the width for them leaves
    // room for the measures.
    guard !measures.isEmpty,
      let opening = narrowed(keys, to: width * 2 / 3, floor: { columns[$0].comfortable })
        ?? narrowed(keys, to: width / 2, floor: { columns[$0].least })
    else { return .records }
    return split(measures, after: opening, columns: columns, width: width)
  }

  /// Fills blocks with measures after the keys.
  private static func split(
    _ measures: [PlacedColumn], after opening: [PlacedColumn], columns: [Measured], width: Int
  ) -> TerminalLayout {
    let room = width - (opening.isEmpty ? 0 : total(opening) + gap)
    var blocks: [[PlacedColumn]] = []
    var block: [PlacedColumn] = []
    for var measure in measures {
      guard columns[measure.index].least <= room else { return .records }
      measure.width = min(columns[measure.index].comfortable, room)
      if !block.isEmpty, total(block) + gap + measure.width > room {
        blocks.append(opening + widened(block, by: room - total(block), columns))
        block = []
      }
      block.append(measure)
    }
    blocks.append(opening + widened(block, by: room - total(block), columns))
    return .blocks(blocks)
  }

  /// Returns the columns with the remaining width given back to the truncated ones, in order.
  private static func widened(
    _ block: [PlacedColumn], by slack: Int, _ columns: [Measured]
  ) -> [PlacedColumn] {
    var slack = slack
    return block.map { column in
      let more = min(slack, columns[column.index].natural - column.width)
      slack -= more
      return PlacedColumn(index: column.index, width: column.width + more)
    }
  }

  /// Returns the columns narrowed, the widest first, until they fit; nil if their minimum widths do not.
  private static func narrowed(
    _ columns: [PlacedColumn], to width: Int, floor: (Int) -> Int
  ) -> [PlacedColumn]? {
    var result = columns
    var excess = total(result) - width
    while excess > 0 {
      let yielding = result.indices.filter { result[$0].width > floor(result[$0].index) }
      guard let widest = yielding.max(by: { result[$0].width < result[$1].width }) else {
        return nil
      }
      // Down to the next widest in one step, so that long texts take few steps.
      let next =
        yielding.filter { $0 != widest }.map { result[$0].width }.max() ?? 0
      let goal = max(
        floor(result[widest].index), min(next, result[widest].width - 1),
        result[widest].width - excess)
      excess -= result[widest].width - goal
      result[widest].width = goal
    }
    return result
  }

  /// Returns the total width of columns side by side.
  static func total(_ columns: [PlacedColumn]) -> Int {
    columns.reduce(0) { $0 + $1.width } + gap * max(0, columns.count - 1)
  }
}
