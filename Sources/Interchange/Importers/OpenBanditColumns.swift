/// The columns of an Open Bandit CSV file, by its header.
///
/// The columns may be in any order. `timestamp`, `item_id`, `position`, `click` and
/// `propensity_score` (or `action_prob`) are required.
struct OpenBanditColumns {
  /// The prefix of the names of affinity columns, before the item's number.
  static let affinityPrefix = "user-item_affinity_"

  private(set) var time = 0
  private(set) var item = 0
  private(set) var position = 0
  private(set) var click = 0
  private(set) var propensity = 0
  /// The name of the propensity's column, for messages.
  private(set) var propensityName = "propensity_score"
  /// The first column without a name: the row number.
  private(set) var row: Int?
  /// The columns that become context, and their names.
  private(set) var context: [(column: Int, name: String)] = []
  /// The columns of the affinity to item 0, 1, 2, ...; empty when there are none.
  private(set) var affinities: [Int] = []
  /// Looks up the columns in a header.
  ///
  /// - Throws: ``ImportError`` `badData` if a column is missing.
  init(_ header: CSVHeader) throws(ImportError) {
    row = header[""]
    time = try header.column("timestamp", remedy: Self.remedy)
    item = try header.column("item_id", remedy: Self.remedy)
    position = try header.column("position", remedy: Self.remedy)
    click = try header.column("click", remedy: Self.remedy)
    propensity = try header.column("propensity_score", "action_prob", remedy: Self.remedy)
    propensityName = header.names[propensity]
    affinities = try Self.affinities(header)
    let known = Set([time, item, position, click, propensity] + affinities)
    context = header.names.enumerated().filter { !$1.isEmpty && !known.contains($0) }
      .map { (column: $0, name: $1) }
  }

  private static let remedy =
    "an Open Bandit file has timestamp, item_id, position, click and propensity_score (or action_prob)"

  private static func affinities(_ header: CSVHeader) throws(ImportError) -> [Int] {
    var items: [Int: Int] = [:]
    let file = header.inputName
    let names = header.isUpperCase ? header.names.map { $0.lowercased() } : header.names
    let columns = names.enumerated().filter { $1.hasPrefix(affinityPrefix) }
    for (column, heading) in columns {
      let digits = Array(heading.utf8.dropFirst(affinityPrefix.utf8.count))
      guard let item = DigitText.canonicalIndex(digits.span), item < columns.count else {
        throw ImportError(
          .badData,
          "\(file): line 1 has the column \"\(heading)\" among \(columns.count) affinity columns; they "
            + "must be numbered from 0 to \(columns.count - 1)")
      }
      items[item] = column
    }
    return items.sorted { $0.key < $1.key }.map(\.value)
  }
}
