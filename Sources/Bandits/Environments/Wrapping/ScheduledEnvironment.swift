public import Statistics

/// `schedule:environment=(bernoulli:means=0.1;0.5;0.9),absent=3@1-1000;2@5000-`: variants that come and go.
///
/// `absent=NAME@FIRST-LAST` takes a variant away from one decision to another, both counted from 1 and included;
/// `NAME@FIRST-` until the end. The optimum of a step is the largest mean of the variants that are there.
public struct ScheduledEnvironment: WrappingEnvironment {
  /// What there is to say about it.
  public static let guide = Guide(
    "schedule", "another environment whose variants come and go",
    [
      Guide.Parameter(
        "environment", nil, "the environment, in parentheses: (bernoulli:means=0.1;0.9)"),
      Guide.Parameter(
        "absent", nil,
        "which variants are missing at which decisions, such as 3@1-1000;2@5000- (the last one until the end)"
      ),
    ],
    source: "Kleinberg, Niculescu-Mizil and Sharma 2010 (sleeping experts and bandits)")

  /// How it is written.
  public let specification: Specification
  /// The environment that gives the rewards.
  public let inner: any Environment
  private let changes: [Change]

  /// A variant that comes or goes at a step.
  private struct Change: Sendable {
    /// From 0.
    var step: Int
    var variant: Int
    /// 1 for one more reason to be absent, −1 for one less.
    var absences: Int
  }

  /// Takes variants away for a while.
  ///
  /// - Parameters:
  ///   - inner: The environment that gives the rewards.
  ///   - absent: Which variants are missing at which decisions, as in a specification: `3@1-1000;2@5000-`.
  /// - Throws: `SpecificationError`: an absence cannot be read, or cannot be.
  public init(_ inner: any Environment, absent: String) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(.nesting(inner), .init(key: "absent", value: absent)),
      around: inner)
  }

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: an absence cannot be read, there is no such variant, none is left at a step, or the
  ///   rewards depend on choices, so that nobody knows what the best policy would get.
  public init(
    _ specification: Specification, around inner: any Environment
  ) throws(SpecificationError) {
    self.specification = specification
    self.inner = inner
    guard !inner.rewardsDependOnChoices else {
      throw SpecificationError(
        "schedule cannot take variants of \(inner.specification.name) away, whose rewards depend on choices; take "
          + "another environment")
    }
    guard !inner.problem(horizon: 1).variantsComeAndGo else {
      throw SpecificationError(
        "schedule stands around another schedule; write all absences in one, with semicolons between them"
      )
    }
    guard let text = specification["absent"], !text.isEmpty else {
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

  /// Refuses a schedule that leaves no variant at some step.
  private func requireOne(of count: Int) throws(SpecificationError) {
    var attendance = Attendance(changes, variants: count)
    for change in changes {
      attendance.move(to: change.step)
      guard attendance.present > 0 else {
        throw SpecificationError(
          "no variant is left at decision \(change.step + 1) of schedule; leave at least one there")
      }
    }
  }

  /// Which variants are there, going on from step to step.
  private struct Attendance: Sendable {
    private let changes: [Change]
    private var next = 0
    /// How many reasons to be absent each variant has.
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

  /// That of the other environment, with variants that come and go.
  public func problem(horizon: Int) -> Problem {
    var problem = inner.problem(horizon: horizon)
    problem.variantsComeAndGo = true
    return problem
  }

  /// Begins a run.
  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    let run = inner.makeRun(key, horizon: horizon).stepwise
    return .changing(
      ScheduledRun(inner: run, attendance: Attendance(changes, variants: run.variantCount)))
  }

  private struct ScheduledRun: ChangingRun {
    var inner: any ChangingRun
    var attendance: Attendance
    var optimum = 0.0

    init(inner: any ChangingRun, attendance: Attendance) {
      self.inner = inner
      self.attendance = attendance
    }

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
    mutating func reward(_ variant: Int) -> Double { inner.reward(variant) }
    var available: [Bool]? { attendance.available }
    mutating func delay() -> Int { inner.delay() }
  }
}
