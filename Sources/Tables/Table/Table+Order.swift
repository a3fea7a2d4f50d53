internal import Specifications

extension Table {
  /// Returns the table with its rows sorted by their key columns, the first key first.
  ///
  /// Texts and timestamps are compared by their UTF-8 bytes and numbers by value; empty cells come first. The sort is
  /// stable.
  ///
  /// - Complexity: O(*n* log *n*) comparisons of keys.
  public consuming func sorted() -> Table {
    var order = sortedOrder()
    return reordered(&order)
  }

  /// Returns the permutation that sorts the rows: for each position, the index of its row.
  private func sortedOrder() -> [Int] {
    let keys = columns.indices.filter { columns[$0].kind == .key }
    let width = columns.count
    return rows.indices.sorted { a, b in
      for key in keys {
        let order = cells[a * width + key].order(against: cells[b * width + key])
        if order != 0 { return order < 0 }
      }
      return a < b
    }
  }

  /// Returns the table with its rows permuted in place. The order, the row of each position, is consumed.
  private consuming func reordered(_ order: inout [Int]) -> Table {
    let width = columns.count
    var table = self
    for start in order.indices where order[start] != start {
      let first = Array(table.cells[start * width..<(start + 1) * width])
      var place = start
      // Each row moves to the position that the previous one of the cycle has left.
      while order[place] != start {
        let source = order[place]
        for column in 0..<width {
          table.cells[place * width + column] = table.cells[source * width + column]
        }
        order[place] = place
        place = source
      }
      for column in 0..<width { table.cells[place * width + column] = first[column] }
      order[place] = place
    }
    return table
  }

  /// Returns the table with its rows in the order that people look for them: texts in natural order, so that `v2` comes
  /// before `v10`, and columns of texts before those of numbers and times, and what is compared last. Rows that are not
  /// in the order of their keys have an order of their own, which is kept.
  ///
  /// - Complexity: O(*n* log *n*) comparisons of keys.
  public func sortedForPeople() -> Table {
    var order = orderForPeople
    return reordered(&order)
  }

  /// The rows in the order of ``sortedForPeople()``: for each position, the index of its row.
  var orderForPeople: [Int] {
    guard isSorted else { return Array(rows.indices) }
    let keys = keysForPeople
    let width = columns.count
    return rows.indices.sorted { a, b in
      for key in keys {
        let order = cells[a * width + key].naturalOrder(against: cells[b * width + key])
        if order != 0 { return order < 0 }
      }
      return a < b
    }
  }

  /// The indices of the key columns in the order in which people read them: texts first, and what is compared last.
  package var keysForPeople: [Int] {
    let keys = columns.indices.filter { columns[$0].kind == .key }
    let places = keys.filter { !columns[$0].isCompared }
    return places.filter { columns[$0].type == .text }
      + places.filter { columns[$0].type != .text } + keys.filter { columns[$0].isCompared }
  }

  /// Whether the rows are in the order of their keys.
  private var isSorted: Bool {
    let keys = columns.indices.filter { columns[$0].kind == .key }
    let width = columns.count
    guard !keys.isEmpty else { return false }
    return rows.indices.dropFirst().allSatisfy { row in
      for key in keys {
        let order = cells[(row - 1) * width + key].order(against: cells[row * width + key])
        if order != 0 { return order < 0 }
      }
      return true
    }
  }
}

extension TableCell {
  /// Returns whether the cell comes before (-1), with (0) or after (1) another for people.
  fileprivate func naturalOrder(against other: TableCell) -> Int {
    if case .text(let a) = self, case .text(let b) = other { return NaturalOrder.compare(a, b) }
    return order(against: other)
  }
}
