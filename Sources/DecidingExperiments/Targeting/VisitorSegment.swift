/// Whom an experiment or a rule is for: groups of conditions, joined by AND and OR.
public struct VisitorSegment: Hashable, Sendable {
  /// Conditions, joined by AND and OR.
  public struct Group: Hashable, Sendable {
    /// The conditions in order.
    public var conditions: [SegmentCondition]
    /// What stands between a condition and the next; where one is missing it is AND.
    public var connectives: [SegmentConnective]

    /// Makes a group; conditions are joined by AND unless told otherwise.
    public init(_ conditions: [SegmentCondition], joinedBy connectives: [SegmentConnective] = []) {
      self.conditions = conditions
      self.connectives = connectives
    }
  }

  /// The groups in order.
  public var groups: [Group]
  /// What stands between a group and the next; where one is missing it is AND.
  public var connectives: [SegmentConnective]
  /// In which order the connectives are taken, in the groups and between them.
  public var precedence: SegmentPrecedence

  /// Makes a segment of groups; they are joined by AND unless told otherwise.
  public init(
    _ groups: [Group], joinedBy connectives: [SegmentConnective] = [],
    precedence: SegmentPrecedence = .usual
  ) {
    self.groups = groups
    self.connectives = connectives
    self.precedence = precedence
  }

  /// Makes a segment of conditions that must all be met.
  public init(all conditions: SegmentCondition...) {
    self.init([Group(conditions)])
  }

  /// The conditions that this version does not know and takes as met, and the patterns that it cannot read,
  /// one sentence each.
  public var warnings: [String] {
    groups.flatMap(\.conditions).compactMap(\.warning)
  }

  /// Whether the expression holds when each condition is asked by the closure. A segment without a group is
  /// met, and so is a group without a condition.
  func isMet(_ isConditionMet: (SegmentCondition) -> Bool) -> Bool {
    precedence.isMet(count: groups.count, connectives: connectives) { index in
      let group = groups[index]
      return precedence.isMet(count: group.conditions.count, connectives: group.connectives) {
        isConditionMet(group.conditions[$0])
      }
    }
  }
}
