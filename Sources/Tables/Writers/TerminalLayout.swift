/// How the columns of a table are laid out in a given width.
enum TerminalLayout: Equatable {
  /// One table above the other; the key columns open each.
  case blocks([[PlacedColumn]])
  /// Each row as a list of names and values, when not even the keys fit side by side.
  case records

  /// A column and the width it is given.
  struct PlacedColumn: Equatable {
    /// The number of the column in the table.
    var index: Int
    /// The columns it takes on the terminal.
    var width: Int
  }

  /// What the layout needs to know of a column.
  struct Measured {
    /// The width of the heading.
    var heading: Int
    /// The width of the widest cell.
    var cells: Int
    /// Whether long cells may be cut; numbers never are, a cut number is a wrong number.
    var canBeCut: Bool
    /// Whether it opens each block.
    var isKey: Bool

    /// The width that cuts nothing.
    var natural: Int { max(heading, cells) }

    /// The width down to which a column is narrowed before columns are moved to another block.
    var comfortable: Int { canBeCut ? min(natural, max(heading, 12)) : natural }

    /// The width below which a column is of no use: a cell or a heading that nobody recognises.
    var least: Int { canBeCut ? min(natural, 6) : max(cells, min(heading, 6)) }
  }

  /// The spaces between two columns.
  static let gap = 2

  /// A text that is longer than this is a sentence and no name.
  static let sentence = 40

  /// Finds the layout: as it is; else with long texts cut; else in several blocks; else as records.
  static func plan(_ columns: [Measured], width: Int) -> TerminalLayout {
    let all = columns.enumerated().map { PlacedColumn(index: $0, width: $1.natural) }
    // Sentences are measured to be read; names that are cut can still be told apart.
    let hasSentences = columns.contains { !$0.isKey && $0.canBeCut && $0.cells > sentence }
    if hasSentences, total(all) > width { return .records }
    if let row = narrowed(all, to: width, floor: { columns[$0].comfortable }) {
      return .blocks([row])
    }
    let keys = all.filter { columns[$0.index].isKey }
    let measures = all.filter { !columns[$0.index].isKey }
    // Names that can be read are worth another block. Where they cannot, half the width for them leaves
    // room for what the reader came to see.
    guard !measures.isEmpty,
      let opening = narrowed(keys, to: width * 2 / 3, floor: { columns[$0].comfortable })
        ?? narrowed(keys, to: width / 2, floor: { columns[$0].least })
    else { return .records }
    return split(measures, after: opening, columns: columns, width: width)
  }

  /// Fills block after block with measures behind the keys.
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

  /// The columns with the room that is left given back to those that were cut, the first first.
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

  /// The columns narrowed, the widest first, until they fit; nil when their floors do not let them.
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
      // Down to the next widest in one step, so that a text of any length costs few steps.
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

  /// The width of the columns side by side.
  static func total(_ columns: [PlacedColumn]) -> Int {
    columns.reduce(0) { $0 + $1.width } + gap * max(0, columns.count - 1)
  }
}
