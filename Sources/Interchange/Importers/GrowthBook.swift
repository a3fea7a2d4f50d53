import Events
public import Specifications

/// An assignment table of GrowthBook: a row for each exposure of a unit, as CSV or JSON.
///
/// | field | becomes |
/// |---|---|
/// | `timestamp` | the time |
/// | the identifier: `user_id`, else `anonymous_id`, `device_id`, `id`, or the parameter `unit` | the unit |
/// | `experiment_id` | the experiment |
/// | `variation_id` | the variant |
/// | all other fields, which are dimensions | `context` |
///
/// The identifier is chosen once, by the first record; rows without a value for it are rejected and counted as missing
/// units, and do not stop the import. The table has no key: rows that are equal in everything are stored once.
public struct GrowthBook: FieldFormat {
  public static let info = SpecificationInfo(
    "growthbook",
    "assignment table of GrowthBook: timestamp, identifier, experiment_id, variation_id",
    source: "https://docs.growthbook.io/app/datasources#experiment-assignment-queries",
    example: "growthbook:unit=user_id")

  public static let recognition =
    "timestamp, experiment_id, variation_id, and user_id, anonymous_id, device_id or id"

  /// The column with the unit; nil for the usual ones.
  public var unit: String?

  /// Creates the format with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.text(
      "unit", \.unit, "the column with the unit (default: user_id, anonymous_id, device_id or id)")
  }

  public static func match(_ sample: InputSample) -> FormatMatch {
    guard !sample.has("received_at") || !sample.has("anonymous_id") else {
      return .mismatch("the fields \"received_at\" and \"anonymous_id\" are of Segment")
    }
    return sample.match(
      fields: "timestamp", "experiment_id", "variation_id", oneOf: IdentifierField.usual)
  }

  public func makeReader(_ input: ImportInput) -> GrowthBookReader {
    GrowthBookReader(identifier: IdentifierField(unit))
  }
}

/// Converts rows of an assignment table to decisions.
public struct GrowthBookReader: FieldReader {
  var identifier: IdentifierField

  init(identifier: IdentifierField) { self.identifier = identifier }

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let unit = try identifier.take(&fields)
    let time = try fields.time(fields.take("timestamp"), named: "timestamp")
    try record.addDecision(
      at: time, unit: unit, experiment: fields.require("experiment_id"),
      variant: fields.require("variation_id"), &fields)
  }
}

/// The field with the identifier of the unit, chosen by the first record that is read.
struct IdentifierField {
  /// The names that are looked for, in order.
  static let usual = ["user_id", "anonymous_id", "device_id", "id"]

  private let names: [[UInt8]]
  private var chosen: [UInt8]?

  /// Creates a choice of the given column, or of the usual ones.
  init(_ given: String?) {
    names = given.map { [Array($0.utf8)] } ?? Self.usual.map { Array($0.utf8) }
  }

  /// Returns the identifier and marks it as used.
  ///
  /// - Throws: ``Rejection`` `event` if no record has had it so far, and `placeholder` if it has no value in this one.
  mutating func take(_ fields: inout FieldTree) throws(Rejection) -> FieldTree.Field {
    if chosen == nil { chosen = names.first { fields.hasName($0) } }
    guard let chosen else {
      let wanted = names.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }
      throw Rejection(
        .event,
        "there is no \(wanted.joined(separator: " or ")); name the identifier with unit=COLUMN")
    }
    guard let field = fields.find(chosen, in: fields.root) else {
      let name = String(decoding: chosen, as: UTF8.self)
      throw Rejection(.placeholder, "\"\(name)\", the identifier, is empty")
    }
    fields.use(field)
    return field
  }
}
