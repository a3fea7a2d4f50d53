public import Specifications
public import Statistics

/// `schedule:environment=(bernoulli:means=0.1;0.5;0.9),absent=3@1-1000;2@5000-`: temporarily unavailable variants.
///
/// `absent=NAME@FIRST-LAST` makes a variant unavailable for a range of decisions, counted from 1, both ends included;
/// `NAME@FIRST-` until the end. The optimum of a step is the largest mean among the available variants.
public struct ScheduledEnvironment: WrappingEnvironment {
  /// The wrapped environment, which is required.
  public var environment: (any Environment)?
  /// The unavailable variants with ranges of decisions, such as `3@1-1000;2@5000-`. Required.
  public var absent: String?
  public var specification = Self.info.specification()
  private var changes: [Change] = []

  /// Creates the environment without the wrapped one and the absences that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "schedule", "another environment with temporarily unavailable variants",
    source: "Kleinberg, Niculescu-Mizil and Sharma 2010 (sleeping experts and bandits)",
    example: "schedule:environment=(bernoulli:means=0.1;0.9;0.5),absent=3@1-1000")

  public static var parameters: [Field] {
    Field.environment
    Field.text(
      "absent", \.absent,
      "unavailable variants with ranges of decisions, such as 3@1-1000;2@5000- (the last one until the end)"
    )
  }

  /// A change in the availability of a variant at a step.
  private struct Change: Sendable {
    /// The step, from 0.
    var step: Int
    var variant: Int
    /// 1 if an absence begins, −1 if one ends.
    var absences: Int
  }

  public mutating func validate() throws(SpecificationError) {
    guard !inner.rewardsDependOnChoices else {
      throw SpecificationError(
        "schedule cannot take variants of \(inner.specification.name) away, whose rewards depend on choices; take "
          + "another environment")
    }
    guard !inner.problem(horizon: 1).hasUnavailableVariants else {
      throw SpecificationError(
        "schedule wraps another schedule; combine all absences in one, separated by semicolons"
      )
    }
    guard let text = absent, !text.isEmpty else {
      throw SpecificationError(
        "schedule needs absent; write schedule:environment=(...),absent=3@1-1000;2@5000-")
    }
    let names = inner.variantNames
    let indices = Dictionary(names.indices.map { (names[$0], $0) }) { first, _ in first }
    var changes: [Change] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      changes += try Self.absence(part, indices)
    }
    changes.sort { ($0.step, $0.variant, $0.absences) < ($1.step, $1.variant, $1.absences) }
    self.changes = changes
    try requireOne(of: names.count)
  }

  private static func absence(
    _ text: Substring, _ indices: [String: Int]
  ) throws(SpecificationError) -> [Change] {
    guard let at = text.lastIndex(of: "@"), let variant = indices[String(text[..<at])] else {
      throw SpecificationError(
        "\"\(text)\" in absent of schedule names no variant of the environment; write NAME@FIRST-LAST, such as "
          + "2@1000-2000")
    }
    let range = text[text.index(after: at)...]
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard range.count == 2, let first = Int(range[0]), first >= 1,
      let last = range[1].isEmpty ? Int.max : Int(range[1]), last >= first
    else {
      throw SpecificationError(
        "\"\(text)\" in absent of schedule must be NAME@FIRST-LAST with decisions counted from 1, such as 2@1000-2000, "
          + "or 2@1000- until the end")
    }
    let gone = Change(step: first - 1, variant: variant, absences: 1)
    return last == .max ? [gone] : [gone, Change(step: last, variant: variant, absences: -1)]
  }

  /// Rejects a schedule that leaves no variant available at some step.
  private func requireOne(of count: Int) throws(SpecificationError) {
    var attendance = AvailabilitySchedule(changes, variants: count)
    for change in changes {
      attendance.move(to: change.step)
      guard attendance.present > 0 else {
        throw SpecificationError(
          "no variant is left at decision \(change.step + 1) of schedule; leave at least one there")
      }
    }
  }

  /// The availability of the variants, advanced from step to step.
  private struct AvailabilitySchedule: Sendable {
    private let changes: [Change]
    private var next = 0
    /// The number of current absences of each variant.
    private var reasons: [Int]
    private(set) var available: [Bool]
    private(set) var present: Int

    init(_ changes: [Change], variants: Int) {
      self.changes = changes
      reasons = [Int](repeating: 0, count: variants)
      available = [Bool](repeating: true, count: variants)
      present = variants
    }

    mutating func move(to step: Int) {
      while next < changes.count, changes[next].step <= step {
        let variant = changes[next].variant
        reasons[variant] += changes[next].absences
        let isThere = reasons[variant] == 0
        if isThere != available[variant] {
          available[variant] = isThere
          present += isThere ? 1 : -1
        }
        next += 1
      }
    }
  }

  public func problem(horizon: Int) -> Problem {
    var problem = inner.problem(horizon: horizon)
    problem.hasUnavailableVariants = true
    return problem
  }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    let run = inner.makeRun(key, horizon: horizon).stepwise
    return .changing(
      ScheduledRun(
        inner: run, attendance: AvailabilitySchedule(changes, variants: run.variantCount)))
  }

  private struct ScheduledRun: ChangingRun {
    var inner: any ChangingRun
    var attendance: AvailabilitySchedule
    var optimum = 0.0

    mutating func begin(_ step: Int) {
      inner.begin(step)
      attendance.move(to: step)
      optimum = -.infinity
      for variant in attendance.available.indices where attendance.available[variant] {
        optimum = max(optimum, inner.mean(variant))
      }
    }

    var variantCount: Int { inner.variantCount }
    var context: Context { inner.context }
    func mean(_ variant: Int) -> Double { inner.mean(variant) }
    func means(into means: inout [Double]) { inner.means(into: &means) }
    mutating func reward(_ variant: Int) -> Double { inner.reward(variant) }
    var available: [Bool]? { attendance.available }
    mutating func delay() -> Int { inner.delay() }
  }
}
