public import Specifications
public import Statistics

/// `supervised:path=FILE.csv,label=COLUMN`: a classification data set as a contextual bandit.
///
/// At each step the context is an example's features, taken from its other columns; the variants are the labels,
/// sorted; the reward is 1 for the right label, otherwise 0. Each run goes through the examples in its own random
/// order, and reshuffles them after each pass. ``ExampleFeatures`` describes the encoding of columns.
public struct SupervisedEnvironment: Environment {
  /// The examples. Required.
  public var table: CSVTable?
  /// The column with the label. Required.
  public var label: String?
  /// The columns to leave out.
  public var ignored: [String] = []
  public var specification = Self.info.specification()
  public private(set) var variantNames: [String] = []
  /// The features of the examples.
  public private(set) var features = ExampleFeatures()
  private var labels: [Int] = []

  /// Creates the environment without the table and the label that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "supervised", "a classification data set, reward 1 for the right label",
    source: "Beygelzimer and Langford 2009, The offset tree; Bietti, Agarwal and Langford 2021",
    example: "supervised:path=examples.csv,label=class")

  public static var parameters: [Field] {
    Field.table(\.table, "a CSV file with a header, one example per row")
    Field.text(
      "label", \.label, "the column with the label; each of its values is a variant")
    Field(
      SpecificationInfo.Parameter("ignore", nil, "columns to leave out, such as id;name")
    ) { made, specification, _ in
      made.ignored = (specification["ignore"] ?? "").split(separator: ";").map(String.init)
    } write: {
      $0.ignored.isEmpty ? nil : $0.ignored.joined(separator: ";")
    }
  }

  public mutating func validate() throws(SpecificationError) {
    guard let table else { return }
    guard let label, let column = table.heading.firstIndex(of: label)
    else {
      throw SpecificationError(
        "label of supervised must be one of the columns of \(table.name): "
          + table.heading.joined(separator: ", "))
    }
    var left: Set<Int> = [column]
    for name in ignored {
      guard let ignored = table.heading.firstIndex(of: name) else {
        throw SpecificationError("ignore of supervised: \(table.name) has no column \"\(name)\"")
      }
      left.insert(ignored)
    }
    guard !table.rows.isEmpty else {
      throw SpecificationError("\(table.name) has no examples below its heading")
    }
    if let row = table.rows.firstIndex(where: { $0[column].isEmpty }) {
      throw SpecificationError(
        "\(table.name), line \(table.lines[row]): the label in column \(label) is empty")
    }
    let names = Set(table.rows.map { $0[column] }).sorted()
    guard names.count <= 1000 else {
      throw SpecificationError(
        "column \(label) of \(table.name) has \(names.count) different labels; at most 1000 can be variants"
      )
    }
    let numbers = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    labels = table.rows.map { numbers[$0[column]] ?? 0 }
    variantNames = names
    features = try ExampleFeatures(
      table, columns: table.heading.indices.filter { !left.contains($0) })
  }

  public func problem(horizon: Int) -> Problem {
    Problem(
      variants: variantNames.count, horizon: horizon, sharedFeatures: features.names.count,
      rewards: 0...1)
  }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(SupervisedRun(labels, features, variants: variantNames.count, key))
  }
}

/// A run through the examples.
private struct SupervisedRun: ChangingRun {
  let variantCount: Int
  private let labels: [Int]
  private let features: ExampleFeatures
  private let key: StreamKey
  /// The examples in the order of this pass.
  private var order: [Int]
  private var pass = -1
  private var label = 0
  private(set) var context: Context

  init(_ labels: [Int], _ features: ExampleFeatures, variants: Int, _ key: StreamKey) {
    self.labels = labels
    self.features = features
    self.key = key.adding("examples")
    variantCount = variants
    order = Array(labels.indices)
    context = Context(shared: [Double](repeating: 0, count: features.names.count))
  }

  mutating func begin(_ step: Int) {
    let (next, place) = step.quotientAndRemainder(dividingBy: labels.count)
    if next != pass { shuffle(next) }
    let example = order[place]
    label = labels[example]
    let start = example * context.shared.count
    for index in context.shared.indices { context.shared[index] = features.values[start + index] }
  }

  /// Fisher–Yates shuffle (R. A. Fisher and F. Yates), from the same initial order in each pass.
  private mutating func shuffle(_ pass: Int) {
    self.pass = pass
    var key = key
    key.add(UInt64(truncatingIfNeeded: pass))
    var random = Xoshiro256(key: key)
    for index in order.indices { order[index] = index }
    for end in stride(from: order.count - 1, to: 0, by: -1) {
      order.swapAt(end, Draw.index(below: end + 1, using: &random))
    }
  }

  func mean(_ variant: Int) -> Double { variant == label ? 1 : 0 }

  var optimum: Double { 1 }

  mutating func reward(_ variant: Int) -> Double { mean(variant) }
}
