internal import Specifications
internal import Tables

/// A row of a table with its cells by the names of their columns.
struct NamedCells {
  private let indices: [String: Int]
  private let cells: [TableCell]

  /// Returns the rows of a table.
  static func rows(of table: Table) -> [NamedCells] {
    let indices = Dictionary(
      uniqueKeysWithValues: table.columns.enumerated().map { ($1.name, $0) })
    return table.rows.map { NamedCells(indices: indices, cells: Array($0)) }
  }

  /// Returns the rows that are not broken down by their places, in the order in which these come first.
  static func byPlace(of table: Table) -> [(place: ReportPlace, rows: [NamedCells])] {
    var places: [(place: ReportPlace, rows: [NamedCells])] = []
    var indices: [ReportPlace: Int] = [:]
    for row in rows(of: table) where row.text("dimension") == nil {
      let place = ReportPlace(row)
      let index = indices[place] ?? places.count
      if index == places.count {
        indices[place] = index
        places.append((place, []))
      }
      places[index].rows.append(row)
    }
    return places
  }

  /// The text or time of a column; nil if it is empty, or a number.
  func text(_ column: String) -> String? {
    switch cell(column) {
    case .text(let text)?, .timestamp(let text)?: text
    default: nil
    }
  }

  /// The number of a column; nil if it is empty, or not a number.
  func number(_ column: String) -> Double? {
    switch cell(column) {
    case .decimal(let number)?: number
    case .integer(let number)?: Double(number)
    default: nil
    }
  }

  /// Whether the row is of the variant of another, by bytes: names that are equal in Swift may differ in how accents
  /// are composed.
  func hasVariant(of other: NamedCells) -> Bool {
    (text("variant") ?? "").isSameName(as: other.text("variant") ?? "")
  }

  /// The experiment for people, with point and slot unless they are those of decisions without any.
  var placeName: String {
    let place = [("point", "point-1"), ("slot", "decision-1")].compactMap { column, usual in
      text(column).flatMap { $0 == usual ? nil : $0 }
    }
    return (text("experiment") ?? "") + (place.isEmpty ? "" : " (\(place.joined(separator: ", ")))")
  }

  /// The cell of a column; nil without the column.
  func cell(_ column: String) -> TableCell? { indices[column].map { cells[$0] } }
}
