import EventLog
import Foundation

@testable import OffPolicy
@testable import Statistics

/// The rows of a file of the Open Bandit data, with the target policies and the reward table of the reference numbers.
struct OpenBanditRows {
  struct Row {
    var item: Int
    var position: Int
    var click: Double
    var propensity: Double
  }

  /// The folder named by BANDOLIER_DATASETS, or `../shared/datasets` beside the package.
  static let folder: String = {
    if let named = ProcessInfo.processInfo.environment["BANDOLIER_DATASETS"] { return named }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    return root.appendingPathComponent("shared/datasets").path
  }()

  static var arePresent: Bool { FileManager.default.fileExists(atPath: folder + "/obd") }

  /// The files `random/men` and `bts/men`.
  static let random = Result { try OpenBanditRows("random") }
  static let bts = Result { try OpenBanditRows("bts") }

  let rows: [Row]
  /// The feature `item_feature_0` of each item.
  let features: [Double]

  init(_ policy: String) throws {
    let items = try Self.lines("\(Self.folder)/obd/\(policy)/item_context.csv")
    features = items.dropFirst().compactMap { Double($0.split(separator: ",")[2]) }
    let log = try Self.lines("\(Self.folder)/obd/\(policy)/men.csv.gz")
    rows = log.dropFirst().compactMap { line in
      let fields = line.split(separator: ",", maxSplits: 6)
      guard fields.count > 5, let item = Int(fields[2]), let position = Int(fields[3]),
        let click = Double(fields[4]), let propensity = Double(fields[5])
      else { return nil }
      return Row(item: item, position: position, click: click, propensity: propensity)
    }
  }

  private static func lines(_ path: String) throws -> [Substring] {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    if path.hasSuffix(".gz") { bytes = try inflated(bytes) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    let inflater = try GzipInflater()
    var (output, place) = ([UInt8](), 0)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // Safety: both buffers belong to arrays that outlive the call.
      let step = try unsafe bytes[place...].withUnsafeBytes { input in
        try unsafe buffer.withUnsafeMutableBytes { try unsafe inflater.inflate(input, into: $0) }
      }
      guard step.consumed + step.produced > 0 else { return output }
      place += step.consumed
      output += buffer[..<step.produced]
    }
  }

  /// The probabilities of the items under a target policy, which does not look at the position.
  func target(_ policy: String) -> [Double] {
    let count = features.count
    switch policy {
    case "softmax_if0":
      let weights = features.map { Double.exp($0) }
      let sum = weights.reduce(0, +)
      return weights.map { $0 / sum }
    case "first_half":
      return (0..<count).map { $0 < count / 2 ? 1 / Double(count / 2) : 0 }
    case "most_logged":
      var counts = [Int](repeating: 0, count: count)
      for row in rows { counts[row.item] += 1 }
      let most = counts.firstIndex(of: counts.max() ?? 0)
      return (0..<count).map { $0 == most ? 1 : 0 }
    default: return [Double](repeating: 1 / Double(count), count: count)
    }
  }

  /// The decisions with the predictions of the reward table (clicks + 1)/(rows + 250) by item and position.
  func decisions(_ policy: String) -> [LoggedDecision] {
    let target = target(policy)
    var table = [[(clicks: Double, rows: Double)]](
      repeating: [(clicks: Double, rows: Double)](repeating: (1, 250), count: features.count),
      count: 4)
    for row in rows {
      table[row.position][row.item].clicks += row.click
      table[row.position][row.item].rows += 1
    }
    let model = table.map { $0.map { $0.clicks / $0.rows } }
    let expected = model.map { zip(target, $0).reduce(0.0) { $0 + $1.0 * $1.1 } }
    return rows.compactMap { row in
      LoggedDecision(
        reward: row.click, propensity: row.propensity, target: target[row.item],
        modelled: model[row.position][row.item], expected: expected[row.position])
    }
  }
}
