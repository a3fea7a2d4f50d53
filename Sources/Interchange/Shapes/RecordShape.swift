import Events

/// What the fields of a system's records mean, as a table that ``ShapedReader`` follows and that can be printed as a
/// mapping.
struct RecordShape: Sendable {
  /// What tells records of this shape from those of the format's later ones; empty if nothing has to.
  var conditions: [RecordCondition] = []
  /// The field that says what a record is, without which it is rejected; nil if the cases look at several.
  var what: FieldNames?
  /// Lists whose elements have a name and a value, which are read as objects with these members.
  var members: [RecordMembers] = []
  var time: FieldNames
  /// When the record was received.
  var received: FieldNames?
  /// How many microseconds after its time that was.
  var receivedAfter: FieldNames?
  var unit: FieldNames
  /// What no two records share.
  var id: FieldNames?
  /// The fields within whose contents an id is unique, which stand before it with `#` between.
  var idScope: [FieldNames] = []
  /// An id where that one is missing, which other records may have too.
  var looseID: FieldNames?
  /// Fields that stay attributes though they are looked at.
  var kept: FieldNames?
  /// What a record can be: the first of these that holds.
  var cases: [RecordCase]
}

/// A list whose elements have a name and a value.
struct RecordMembers: Sendable {
  let list, name, value: FieldNames
  /// What its attributes begin with, if it is the same for a table that has the list in capitals.
  var prefix: FieldName?
}

/// One of the things that a record can be.
struct RecordCase: Sendable {
  /// What becomes of the record.
  enum Content: Sendable {
    /// It is counted under this name, in the plural.
    case ignored(String)
    /// A decision.
    case decision(experiment: FieldNames, variant: FieldNames)
    /// A decision for each member of an object whose name ends so, with what is before it as the experiment.
    case decisions(endingIn: String, of: FieldNames, without: String)
    /// A conversion, whose revenue may stand in other fields if its goal is named as a refund.
    case conversion(goal: FieldNames, revenue: FieldNames, ofRefunds: FieldNames? = nil)
    /// A data point for each member of an object; without any, the record is counted under another name.
    case dataPoints(kind: String, of: FieldNames, without: String)
  }

  let content: Content
  /// What has to hold, all of it.
  let conditions: [RecordCondition]
  /// The unit, if it is another than the shape's.
  var unit: FieldNames?
  var status: EventStatus?
  /// The object with the experiment and the variant; if there is none, the record has them.
  var object: FieldNames?
  var propensity, policy: FieldNames?
  /// Objects whose members are features of the variant.
  var features: [FieldNames]
  /// How many units of the field are one of revenue.
  var units: Int

  init(
    _ content: Content, _ conditions: RecordCondition..., unit: FieldNames? = nil, status: EventStatus? = nil,
    object: FieldNames? = nil, propensity: FieldNames? = nil, policy: FieldNames? = nil, features: [FieldNames] = [],
    units: Int = 1
  ) {
    (self.content, self.conditions) = (content, conditions)
    (self.unit, self.status, self.object, self.units) = (unit, status, object, units)
    (self.propensity, self.policy, self.features) = (propensity, policy, features)
  }
}

extension RecordCase {
  /// The names of the event `Experiment Viewed` of Segment's specification, which other systems send too, as libraries
  /// send it or as tables are called.
  static let experimentViewed: FieldNames =
    "Experiment Viewed | experiment_viewed | Viewed Experiment | viewed_experiment"

  /// A decision by the properties of that event: `experiment_id`, `experiment_name`, `variation_id`, `variation_name`.
  /// Customer.io writes `variant_id`, and GrowthBook's examples have `experimentId` and `variationId`.
  ///
  /// - Parameters:
  ///   - condition: What tells the event.
  ///   - properties: The object with the properties; nil if the record has them.
  /// - Returns: The case.
  static func experimentViewed(_ condition: RecordCondition, in properties: FieldNames? = nil) -> RecordCase {
    RecordCase(
      .decision(
        experiment: "experiment_id | experimentId | experiment_name",
        variant: "variation_id | variant_id | variationId | variation_name | variant_name"), condition,
      object: properties)
  }
}

/// A condition on a field of a record.
struct RecordCondition: Sendable {
  let field: FieldNames
  /// The contents of which the field has one; nil if any will do.
  let contents: FieldNames?
  /// Whether that is asked for, or its opposite.
  let isWanted: Bool

  /// The field is there, or has one of some contents.
  static func when(_ field: FieldNames, is contents: FieldNames? = nil) -> RecordCondition {
    RecordCondition(field: field, contents: contents, isWanted: true)
  }

  /// The field is not there, or has none of some contents.
  static func unless(_ field: FieldNames, is contents: FieldNames? = nil) -> RecordCondition {
    RecordCondition(field: field, contents: contents, isWanted: false)
  }

  /// Returns whether it holds for a record.
  func holds(in tree: FieldTree) -> Bool {
    guard let found = field.find(in: tree) else { return !isWanted }
    guard let contents else { return isWanted }
    for index in 0..<contents.count where tree.text(found, is: contents[index]) { return isWanted }
    return !isWanted
  }
}
