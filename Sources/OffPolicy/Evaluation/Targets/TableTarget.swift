internal import Bandits
internal import Events
internal import Replay
public import Specifications
internal import Statistics

/// `table:path=FILE.csv`: the probabilities in a CSV file with the columns `variant` and `probability`, and optionally
/// `point`, `slot` and columns named as attributes of the context.
///
/// The rows that agree with a decision in all of the optional columns hold for it; an empty field of an attribute
/// stands for its absence. A variant without a row is never chosen. A decision without any row is one that the policy
/// does not say anything about.
public struct TableTarget: TargetPolicy {
  public static let info = SpecificationInfo(
    "table", "the probabilities in a CSV file, by variant and by point, slot or context",
    source: "by definition", example: "table:path=policy.csv")

  /// The sums of probabilities that are taken for 1.
  private static let sums = 1 - 1e-6...1 + 1e-6

  public var specification = Self.info.specification()

  /// Creates a table without rows; a file has the others.
  public init() {}
  public private(set) var contextAttributes: [String] = []
  private var hasPoint = false
  private var hasSlot = false
  /// By the fields of the optional columns, the probability of each variant.
  private var rows: [[NameKey]: [NameKey: Double]] = [:]

  public static var parameters: [Field] {
    Field.file(
      "path",
      "file with the columns variant, probability and optionally point, slot and attributes of the context",
      missing: "table needs a file; write table:path=FILE.csv"
    ) { (made, text, path) throws(SpecificationError) in
      try made.read(CSVTable(text, name: path))
    }
  }

  /// Those of a table without points and slots, which are of other experiments in one that speaks of several.
  public var namedVariants: [String] {
    hasPoint || hasSlot
      ? [] : rows.values.flatMap { $0.filter { $0.value > 0 }.map(\.key.text) }.distinctNames
  }

  private mutating func read(_ table: CSVTable) throws(SpecificationError) {
    let column = { (name: String) in table.heading.firstIndex(ofName: name) }
    guard let variant = column("variant"), let probability = column("probability") else {
      throw SpecificationError(
        "\(table.name) needs the columns variant and probability; it has "
          + table.heading.joined(separator: ", "))
    }
    (hasPoint, hasSlot) = (column("point") != nil, column("slot") != nil)
    let others = table.heading.filter {
      !["variant", "probability", "point", "slot"].contains($0)
    }
    contextAttributes = others
    let keys = [column("point"), column("slot")].compactMap { $0 } + others.compactMap(column)
    var rows: [[NameKey]: [NameKey: Double]] = [:]
    for (fields, line) in zip(table.rows, table.lines) {
      guard let number = Double(fields[probability]), (0...1).contains(number) else {
        throw SpecificationError(
          "\(table.name), line \(line): the probability \"\(fields[probability])\" must be a number from 0 to 1"
        )
      }
      let key = keys.map { NameKey(fields[$0]) }
      let name = NameKey(fields[variant])
      guard rows[key, default: [:]].updateValue(number, forKey: name) == nil else {
        throw SpecificationError(
          "\(table.name), line \(line): \"\(fields[variant])\" has a probability already; remove one of the rows"
        )
      }
    }
    try Self.check(rows, table)
    self.rows = rows
  }

  private static func check(
    _ rows: [[NameKey]: [NameKey: Double]], _ table: CSVTable
  ) throws(SpecificationError) {
    guard !rows.isEmpty else {
      throw SpecificationError("\(table.name) has no rows; write one for each variant")
    }
    for (key, variants) in rows.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let sum = ExactSum(variants.values).value
      guard !sums.contains(sum) else { continue }
      let place = key.isEmpty ? "" : " for \(key.map(\.text).joined(separator: ", "))"
      throw SpecificationError("\(table.name): the probabilities\(place) sum to \(sum), not to 1")
    }
  }

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    let key =
      (hasPoint ? [situation.point] : []) + (hasSlot ? [situation.slot] : [])
      + situation.attributes.map { $0.map(Self.text) ?? "" }
    return rows[key.map(NameKey.init)].map { row in
      situation.choices.map { row[NameKey($0)] ?? 0 }
    }
  }

  private static func text(_ value: AttributeValue) -> String { DimensionRegister.text(value) }
}
