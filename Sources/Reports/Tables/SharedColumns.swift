public import EventLog
public import Replay
internal import Tables

/// The names of an arm, with a value of the dimension: what tells the rows of many reports apart.
public struct ArmNames {
  /// The decision, its place in the app, which of several decisions there, and what was chosen.
  public let experiment, point, slot, variant: String
  /// The value of the dimension.
  public let value: DimensionValue

  /// Creates the names of the codes of a log.
  public init(_ arm: Arm, _ names: LogNames, value: DimensionValue = .unknown) {
    experiment = names.string(arm.experiment, in: .experiments) ?? ""
    point = names.string(arm.point, in: .points) ?? "point-1"
    slot = names.string(arm.slot, in: .slots) ?? "decision-1"
    variant = names.string(arm.variant, in: .variants) ?? ""
    self.value = value
  }

  /// Creates the names of a segment.
  public init(_ segment: Segment, _ names: LogNames) {
    self.init(segment.arm, names, value: segment.value)
  }

  /// Creates the names of a segment without point and slot.
  init(_ segment: VariantSegment, _ names: LogNames) {
    let arm = Arm(experiment: segment.experiment, point: 0, slot: 0, variant: segment.variant)
    self.init(arm, names, value: segment.value)
  }
}

// The columns that several reports have.

extension ReportColumns {
  /// The key column of the experiment.
  public static func experiment(_ name: @escaping (Row) -> String?) -> Self {
    key("experiment", "what is decided", name)
  }

  /// The key columns of experiment, point and slot.
  public static func place(_ arm: @escaping (Row) -> ArmNames?) -> Self {
    experiment { arm($0)?.experiment } + part(arm)
  }

  /// The key columns of point and slot.
  private static func part(_ arm: @escaping (Row) -> ArmNames?) -> Self {
    key("point", "where in the app") { arm($0)?.point }
      + key("slot", "which of several decisions at the point") { arm($0)?.slot }
  }

  /// The key columns of experiment, point, slot and variant.
  public static func arm(_ arm: @escaping (Row) -> ArmNames?) -> Self {
    place(arm) + variant(arm)
  }

  /// The key column of the variant.
  static func variant(_ arm: @escaping (Row) -> ArmNames?) -> Self {
    key("variant", "what was chosen") { arm($0)?.variant }
  }

  /// The key columns of experiment, point, slot and metric of a variant that is compared with a baseline.
  static func comparison(_ pair: @escaping (Row) -> VariantPairs.Pair) -> Self {
    experiment { pair($0).names.experiment }.main + part { pair($0).names }
      + key("metric", "what is measured of each unit") { pair($0).treatment.metric.description }.main
  }

  /// The key columns of a report that is broken down by a dimension; none without one.
  ///
  /// - Parameters:
  ///   - dimension: The dimension; nil for none.
  ///   - value: Returns its value; nil for a row of all values.
  /// - Returns: The columns.
  public static func breakdown(
    _ dimension: Dimension?, _ value: @escaping (Row) -> DimensionValue?
  ) -> Self {
    guard let text = dimension?.description else { return Self([]) }
    return key("dimension", "what the rows are broken down by") { value($0) == nil ? nil : text }
      + key("dimension_value", "its value at the time of the decision; empty when unknown") {
        value($0)?.text
      }
  }
}
