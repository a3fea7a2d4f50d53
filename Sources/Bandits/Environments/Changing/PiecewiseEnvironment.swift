public import Specifications
public import Statistics

/// `piecewise:means=0.3;0.5;0.9|0.3;0.2;0.9,changes=1000`: piecewise constant means with abrupt changes.
///
/// Semicolons separate the means within a segment, bars the segments. With `changes=1000` the second segment begins
/// after 1000 decisions; the last segment lasts until the end.
public struct PiecewiseEnvironment: Environment {
  public static let info = SpecificationInfo(
    "piecewise", "piecewise constant means with abrupt changes",
    [
      SpecificationInfo.Parameter(
        "means", nil,
        "the means of all variants in each segment, such as 0.3;0.9|0.8;0.2 for two segments"),
      SpecificationInfo.Parameter(
        "changes", nil,
        "after how many decisions the second, third, ... segment begins, ascending, such as 1000;2500"
      ),
      RewardNoise.parameter,
    ],
    source: "Garivier and Moulines 2011")

  public let specification: Specification
  private let noise: RewardNoise
  private let path: PiecewisePath

  /// Creates the environment from the means of all variants in each segment.
  ///
  /// - Parameters:
  ///   - segments: The means of all variants in each segment.
  ///   - changes: The numbers of decisions after which the second, third, ... segment begins.
  ///   - deviation: The standard deviation of normal rewards around the mean; nil for rewards of 0 and 1.
  /// - Throws: `SpecificationError` if a value is out of range, segments differ in length, or there is not exactly one
  ///   change fewer than segments.
  public init(segments: [[Double]], changes: [Int], deviation: Double? = nil)
    throws(SpecificationError)
  {
    try self.init(
      Self.info.specification(
        .init(key: "means", value: segments.map(\.specificationText).joined(separator: "|")),
        changes.isEmpty
          ? nil : .init(key: "changes", value: changes.map(String.init).joined(separator: ";")),
        RewardNoise.parameter.written(deviation)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    noise = try RewardNoise(specification)
    let segments = try Self.segments(specification, in: noise.means)
    let changes = try Self.changes(specification)
    guard changes.count == segments.count - 1 else {
      throw SpecificationError(
        "piecewise has \(segments.count) segments of means and \(changes.count) changes; there must be one change less "
          + "than segments, as in piecewise:means=0.3;0.9|0.8;0.2,changes=1000")
    }
    path = PiecewisePath(segments: segments, changes: changes)
  }

  private static func segments(
    _ specification: Specification, in range: ClosedRange<Double>
  ) throws(SpecificationError) -> [[Double]] {
    let text = specification["means"] ?? ""
    var segments: [[Double]] = []
    for part in text.split(separator: "|", omittingEmptySubsequences: false) {
      // For an empty text `numbers` reports the missing parameter.
      let one = Specification(
        specification.name, text.isEmpty ? [] : [.init(key: "means", value: String(part))])
      segments.append(try one.numbers("means", in: range))
    }
    guard segments.allSatisfy({ $0.count == segments[0].count }) else {
      throw SpecificationError(
        "the segments in means=\(text) of piecewise have different numbers of means; give each segment one for each "
          + "variant")
    }
    return segments
  }

  private static func changes(_ specification: Specification) throws(SpecificationError) -> [Int] {
    guard let text = specification["changes"], !text.isEmpty else { return [] }
    var changes: [Int] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard let change = Int(part), change > changes.last ?? 0 else {
        throw SpecificationError(
          "\"\(part)\" in changes=\(text) of piecewise must be a whole number above 0 and above the one before"
        )
      }
      changes.append(change)
    }
    return changes
  }

  public func problem(horizon: Int) -> Problem {
    Problem(variants: path.segments[0].count, horizon: horizon, rewards: noise.rewards)
  }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(
      MovingRun(path, variants: path.segments[0].count, noise, RewardStream(key)))
  }
}

/// Consecutive segments of constant means.
struct PiecewisePath: MeanPath {
  let segments: [[Double]]
  /// The start of each segment but the first, ascending.
  let changes: [Int]
  private var segment = 0

  init(segments: [[Double]], changes: [Int]) {
    self.segments = segments
    self.changes = changes
  }

  mutating func move(_ means: inout [Double], to step: Int) {
    let before = segment
    while segment < changes.count, step >= changes[segment] { segment += 1 }
    if segment != before || step == 0 { means = segments[segment] }
  }
}
