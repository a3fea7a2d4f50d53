/// What each column of an Open Bandit CSV file means, read from its header.
///
/// The columns may stand in any order. `timestamp`, `item_id`, `position`, `click` and
/// `propensity_score` (or `action_prob`) must be there.
struct OpenBanditColumns {
  /// What the names of the affinity columns begin with; the item's number follows.
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
  /// The columns that are kept as context, and their names.
  private(set) var context: [(column: Int, name: String)] = []
  /// The columns of the affinity to item 0, 1, 2, ...; empty when there are none.
  private(set) var affinities: [Int] = []
  /// How many columns there are.
  let count: Int

  /// Reads a header.
  ///
  /// - Throws: ``ImportError`` `badData` when a column is missing or named twice.
  init(header: [String], name: String) throws(ImportError) {
    count = header.count
    var places: [String: Int] = [:]
    for (column, heading) in header.enumerated() {
      if heading.isEmpty, places[""] != nil { continue }
      guard places.updateValue(column, forKey: heading) == nil else {
        throw ImportError(
          .badData, "\(name): line 1 names the column \"\(heading)\" twice; rename one of them")
      }
    }
    row = places[""]
    time = try Self.find(["timestamp"], in: places, name)
    item = try Self.find(["item_id"], in: places, name)
    position = try Self.find(["position"], in: places, name)
    click = try Self.find(["click"], in: places, name)
    propensity = try Self.find(["propensity_score", "action_prob"], in: places, name)
    propensityName = header[propensity]
    affinities = try Self.affinities(header, name)
    let known = Set([time, item, position, click, propensity] + affinities)
    context = header.enumerated().filter { !$1.isEmpty && !known.contains($0) }
      .map { (column: $0, name: $1) }
  }

  private static func find(
    _ names: [String], in places: [String: Int], _ file: String
  ) throws(ImportError) -> Int {
    for name in names {
      if let column = places[name] { return column }
    }
    throw ImportError(
      .badData,
      "\(file): line 1 has no column \"\(names.joined(separator: "\" or \""))\"; an Open Bandit file has "
        + "timestamp, item_id, position, click and propensity_score (or action_prob)")
  }

  private static func affinities(_ header: [String], _ file: String) throws(ImportError) -> [Int] {
    var items: [Int: Int] = [:]
    let columns = header.enumerated().filter { $1.hasPrefix(affinityPrefix) }
    for (column, heading) in columns {
      let digits = Array(heading.utf8.dropFirst(affinityPrefix.utf8.count))
      guard let item = NumberText.canonicalIndex(digits.span), item < columns.count else {
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
