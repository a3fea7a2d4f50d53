public import Specifications
public import Statistics

/// `piecewise:means=0.3;0.5;0.9|0.3;0.2;0.9,changes=1000`: piecewise constant means with abrupt changes.
///
/// Semicolons separate the means within a segment, bars the segments. With `changes=1000` the second segment begins
/// after 1000 decisions; the last segment lasts until the end.
public struct PiecewiseEnvironment: NoisyEnvironment {
  /// The means of all variants in each segment.
  public var segments: [[Double]] = []
  /// After how many decisions the second, third, ... segment begins, ascending.
  public var changes: [Int] = []
  /// The standard deviation of normal rewards around the mean; nil for rewards of 0 and 1.
  public var deviation: Double?
  public var specification = Self.info.specification()

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "piecewise", "piecewise constant means with abrupt changes",
    source: "Garivier and Moulines 2011",
    example: "piecewise:means=0.3;0.9|0.8;0.2,changes=1000")

  public static var parameters: [Field] {
    Field(
      SpecificationInfo.Parameter(
        "means", nil,
        "the means of all variants in each segment, such as 0.3;0.9|0.8;0.2 for two segments")
    ) { _, _, _ in
    } write: {
      $0.segments.isEmpty ? nil : $0.segments.map(\.specificationText).joined(separator: "|")
    }
    Field(
      SpecificationInfo.Parameter(
        "changes", nil,
        "after how many decisions the second, third, ... segment begins, ascending, such as 1000;2500"
      )
    ) { _, _, _ in
    } write: {
      $0.changes.isEmpty ? nil : $0.changes.map(String.init).joined(separator: ";")
    }
    Field.noise(\.deviation)
  }

  /// Reads the segments, whose range depends on the noise, and their beginnings.
  ///
  /// - Throws: `SpecificationError` if they are invalid.
  public mutating func validate() throws(SpecificationError) {
    segments = try Self.segments(specification, in: noise.means)
    changes = try Self.changes(specification)
    guard changes.count == segments.count - 1 else {
      throw SpecificationError(
        "piecewise has \(segments.count) segments of means and \(changes.count) changes; there must be one change less "
          + "than segments, as in piecewise:means=0.3;0.9|0.8;0.2,changes=1000")
    }
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

  var variantCount: Int { segments.first?.count ?? 0 }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    makeRun(PiecewisePath(segments: segments, changes: changes), key)
  }
}

/// Consecutive segments of constant means.
struct PiecewisePath: MeanPath {
  let segments: [[Double]]
  /// The start of each segment but the first, ascending.
  let changes: [Int]
  var segment = 0

  mutating func move(_ means: inout [Double], to step: Int) {
    let before = segment
    while segment < changes.count, step >= changes[segment] { segment += 1 }
    if segment != before || step == 0 { means = segments[segment] }
  }
}
