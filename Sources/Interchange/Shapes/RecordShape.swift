import Events

/// What the fields of a system's records mean, as a table that ``ShapedReader`` follows and that can be printed as a
/// mapping.
final class RecordShape: Sendable {
  /// What tells records of this shape from those of the format's later ones; empty if nothing has to.
  let conditions: [RecordCondition]
  /// The field that says what a record is, without which it is rejected; nil if the cases look at several.
  let what: ColumnChoice?
  let time: ColumnChoice
  /// When the record was received.
  let received: ColumnChoice?
  let unit: ColumnChoice
  /// What no two records share.
  let id: ColumnChoice?
  /// The fields within whose contents an id is unique, which stand before it with `#` between.
  let idScope: [ColumnChoice]
  /// An id where that one is missing, which other records may have too.
  let looseID: ColumnChoice?
  /// Fields that stay attributes though a case looks at them.
  let kept: [ColumnChoice]
  /// What a record can be: the first of these that holds.
  let cases: [RecordCase]

  init(
    conditions: [RecordCondition] = [], what: ColumnChoice? = nil, time: ColumnChoice,
    received: ColumnChoice? = nil, unit: ColumnChoice, id: ColumnChoice? = nil, idScope: [ColumnChoice] = [],
    looseID: ColumnChoice? = nil, kept: [ColumnChoice] = [], cases: [RecordCase]
  ) {
    (self.conditions, self.what, self.time, self.received, self.unit) = (conditions, what, time, received, unit)
    (self.id, self.idScope, self.looseID, self.kept, self.cases) = (id, idScope, looseID, kept, cases)
  }
}

/// One of the things that a record can be.
final class RecordCase: Sendable {
  /// What becomes of the record.
  enum Content: Sendable {
    /// It is counted under this name, in the plural.
    case ignored(String)
    /// A decision; of another unit than the shape's if one is given.
    case decision(
      experiment: ColumnChoice, variant: ColumnChoice, unit: ColumnChoice? = nil, status: EventStatus? = nil)
    /// A decision for each member of an object whose name ends so, with what is before it as the experiment.
    case decisions(endingIn: String, of: ColumnChoice, without: String)
    /// A conversion, whose revenue may stand elsewhere if its goal is named as a refund.
    case conversion(goal: ColumnChoice, revenue: ColumnChoice, ofRefunds: ColumnChoice? = nil)
    /// A data point for each member of an object; without any, the record is counted under another name.
    case dataPoints(kind: String, of: ColumnChoice, without: String)
  }

  let content: Content
  /// What has to hold, all of it.
  let conditions: [RecordCondition]

  init(_ content: Content, _ conditions: RecordCondition...) {
    (self.content, self.conditions) = (content, conditions)
  }
}

extension RecordCase {
  /// A decision by the event `Experiment Viewed` of Segment's specification, which other systems send too.
  ///
  /// Its properties are `experiment_id`, `experiment_name`, `variation_id` and `variation_name`. Customer.io writes
  /// `variant_id`, and GrowthBook's examples have `experimentId` and `variationId`.
  ///
  /// - Parameters:
  ///   - event: The field with the name of the event.
  ///   - properties: The object with the properties, if they are not members of the record itself.
  /// - Returns: The case.
  static func experimentViewed(_ event: ColumnChoice, in properties: String? = nil) -> RecordCase {
    experimentViewed(in: properties, .when(event, is: experimentViewed))
  }

  /// The names of the event, as libraries send it or as tables are called.
  static let experimentViewed = ["Experiment Viewed", "experiment_viewed", "Viewed Experiment", "viewed_experiment"]

  /// A decision by these properties where a condition holds.
  static func experimentViewed(in properties: String? = nil, _ condition: RecordCondition) -> RecordCase {
    func choice(_ names: String...) -> ColumnChoice {
      ColumnChoice((properties.map { object in names.map { "\(object).\($0)" } } ?? []) + names)
    }
    return RecordCase(
      .decision(
        experiment: choice("experiment_id", "experimentId", "experiment_name"),
        variant: choice("variation_id", "variant_id", "variationId", "variation_name", "variant_name")),
      condition)
  }
}

/// A condition on a field of a record.
final class RecordCondition: Sendable {
  let column: ColumnChoice
  /// The contents of which the field has one; empty if any will do.
  let contents: [String]
  /// Whether that is asked for, or its opposite.
  let isWanted: Bool

  private let bytes: [[UInt8]]

  init(_ column: ColumnChoice, _ contents: [String], isWanted: Bool) {
    (self.column, self.contents, self.isWanted) = (column, contents, isWanted)
    bytes = contents.map { Array($0.utf8) }
  }

  /// The field has a content, or one of some.
  static func when(_ column: ColumnChoice, is contents: String...) -> RecordCondition { when(column, is: contents) }

  static func when(_ column: ColumnChoice, is contents: [String]) -> RecordCondition {
    RecordCondition(column, contents, isWanted: true)
  }

  /// The field has no content, or none of some.
  static func unless(_ column: ColumnChoice, is contents: String...) -> RecordCondition {
    RecordCondition(column, contents, isWanted: false)
  }

  /// Returns whether it holds for a record.
  func holds(in tree: FieldTree) -> Bool {
    guard let field = column.find(in: tree), tree.nodes[field.index].count > 0 else { return !isWanted }
    if bytes.isEmpty { return isWanted }
    for index in bytes.indices where tree.text(field, is: bytes[index]) { return isWanted }
    return !isWanted
  }
}
