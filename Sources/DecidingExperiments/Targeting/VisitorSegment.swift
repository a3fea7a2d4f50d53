/// The target users of an experiment or rule: groups of conditions, joined by AND and OR.
public struct VisitorSegment: Hashable, Sendable {
  /// Conditions, joined by AND and OR.
  public struct Group: Hashable, Sendable {
    /// The conditions in order.
    public var conditions: [SegmentCondition]
    /// The connectives between adjacent conditions; a missing one is AND.
    public var connectives: [SegmentConnective]

    /// Creates a group; conditions are joined by AND by default.
    public init(_ conditions: [SegmentCondition], joinedBy connectives: [SegmentConnective] = []) {
      self.conditions = conditions
      self.connectives = connectives
    }
  }

  /// The groups in order.
  public var groups: [Group]
  /// The connectives between adjacent groups; a missing one is AND.
  public var connectives: [SegmentConnective]
  /// The precedence of the connectives, within and between the groups.
  public var precedence: SegmentPrecedence

  /// Creates a segment from groups; they are joined by AND by default.
  public init(
    _ groups: [Group], joinedBy connectives: [SegmentConnective] = [],
    precedence: SegmentPrecedence = .usual
  ) {
    self.groups = groups
    self.connectives = connectives
    self.precedence = precedence
  }

  /// Creates a segment of conditions that must all be met.
  public init(all conditions: SegmentCondition...) {
    self.init([Group(conditions)])
  }

  /// Warnings, one sentence each: conditions unknown to this version, which are treated as met, and invalid
  /// patterns.
  public var warnings: [String] {
    groups.flatMap(\.conditions).compactMap(\.warning)
  }

  /// Evaluates the expression, with the closure evaluating each condition. A segment without groups is met,
  /// and so is a group without conditions.
  func isMet(_ isConditionMet: (SegmentCondition) -> Bool) -> Bool {
    precedence.isMet(count: groups.count, connectives: connectives) { index in
      let group = groups[index]
      return precedence.isMet(count: group.conditions.count, connectives: group.connectives) {
        isConditionMet(group.conditions[$0])
      }
    }
  }
}
