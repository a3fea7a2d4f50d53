import Events
public import Specifications

/// A fact table of GrowthBook: a row for each event of a unit, with values, as CSV or JSON.
///
/// | field | becomes |
/// |---|---|
/// | `timestamp` | the time |
/// | the identifier: `user_id`, else `anonymous_id`, `device_id`, `id`, or the parameter `unit` | the unit |
/// | the parameter `goal`, else `goal`, else the name of the file without extension | the goal of a conversion |
/// | the parameter `value`, else `value`, else `amount` | its revenue |
/// | all other fields | its metadata |
///
/// Rows without an identifier are rejected and counted as missing units; those without a value have no revenue. The
/// table has no key: rows that are equal in everything are stored once.
public struct GrowthBookFacts: FieldFormat {
  public static let info = SpecificationInfo(
    "growthbook-facts", "fact table of GrowthBook: timestamp, identifier and a value",
    source: "https://docs.growthbook.io/app/fact-tables", example: "growthbook-facts:value=amount")

  public static let recognition =
    "timestamp, value or amount, and user_id, anonymous_id or device_id, and no name of an event"

  /// The column with the unit; nil for the usual ones.
  public var unit: String?
  /// The goal; nil for the column `goal`, or the name of the file.
  public var goal: String?
  /// The column with the revenue; nil for the usual ones.
  public var value: String?

  /// Creates the format with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.text(
      "unit", \.unit, "the column with the unit (default: user_id, anonymous_id, device_id or id)")
    Field.text(
      "goal", \.goal,
      "the goal of the conversions (default: the column goal, or the name of the file)")
    Field.text("value", \.value, "the column with the revenue (default: value or amount)")
  }

  public static func match(_ sample: InputSample) -> FormatMatch {
    // The columns say little: a table with any field of another system is not taken for one.
    let others = [
      "experiment_id", "event", "event_name", "event_type", "event_id", "type", "kind", "key",
      "uuid", "properties", "unit", "action", "variation",
    ]
    if let other = others.first(where: sample.has) { return .mismatch("the field \"\(other)\"") }
    let identified = sample.match(
      fields: "timestamp", oneOf: ["user_id", "anonymous_id", "device_id"])
    guard case .match = identified else { return identified }
    return sample.match(fields: "timestamp", oneOf: ["value", "amount"])
  }

  public func makeReader(_ input: ImportInput) -> GrowthBookFactReader {
    GrowthBookFactReader(
      identifier: IdentifierField(unit), goal: goal,
      fileGoal: input.path == "-" ? nil : ImportInput.stem(input.path), value: value)
  }
}

/// Converts rows of a fact table to conversions.
public struct GrowthBookFactReader: FieldReader {
  private var identifier: IdentifierField
  private let goal: String?
  /// The goal of rows that have no field with one.
  private let fileGoal: String?
  private let value: [UInt8]?

  init(identifier: IdentifierField, goal: String?, fileGoal: String?, value: String?) {
    self.identifier = identifier
    self.goal = goal
    self.fileGoal = fileGoal
    self.value = value.map { Array($0.utf8) }
  }

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let unit = try identifier.take(&fields)
    let time = try fields.time(fields.take("timestamp"), named: "timestamp")
    let index = try record.add(.conversion, at: time, unit: unit, fields)
    try setGoal(&fields, of: &record.events[index])
    if let field = try takeValue(&fields) {
      let truth = fields.flag(field).map { $0 ? 1.0 : 0 }
      guard let revenue = fields.number(field) ?? truth else {
        throw Rejection(
          .number,
          "the value is \"\(fields.string(field).prefix(40))\" and must be a number")
      }
      let isRefund = Refund.isNamed(
        by: record.events[index].bytes[record.events[index][.goal].range])
      record.events[index].revenue = isRefund ? revenue.magnitude : revenue
      if isRefund { record.events[index].negative = true }
    }
    try fields.addUnused(to: .metadata, of: &record.events[index])
  }

  private func setGoal(
    _ fields: inout FieldTree, of event: inout EventRecord
  ) throws(Rejection) {
    if goal == nil, let field = fields.find("goal"), !fields.text(field).isEmpty {
      fields.use(field)
      return try fields.set(.goal, of: &event, to: field)
    }
    guard let name = goal ?? fileGoal else {
      throw Rejection(.event, "there is no \"goal\"; give the goal with goal=NAME")
    }
    event[.goal] = event.add(name)
  }

  private func takeValue(
    _ fields: inout FieldTree
  ) throws(Rejection) -> FieldTree.Field? {
    guard let value else {
      let field = fields.take(fields.hasName(Array("value".utf8)) ? "value" : "amount")
      return field.flatMap { fields.text($0).isEmpty ? nil : $0 }
    }
    guard let field = fields.find(value, in: fields.root) else {
      guard fields.columns == nil || fields.hasName(value) else {
        let name = String(decoding: value, as: UTF8.self)
        throw Rejection(.event, "there is no \"\(name)\"; name the column with value=COLUMN")
      }
      return nil
    }
    fields.use(field)
    return field
  }
}
