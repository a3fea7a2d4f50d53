public import Specifications

/// CloudEvents in their JSON format, one object each or batches as lists, around the records of another format.
///
/// | field | becomes |
/// |---|---|
/// | `source` and `id` | the id, joined with `#` |
/// | `time` | the time of a record that has none |
/// | `data` | a record of another format, recognized by the first event of each `type` |
/// | the id that the format gives to the record | `cloudevents.data.id`, likewise |
/// | all other attributes | `cloudevents.NAME` in the `context` of a decision or the `metadata` of a goal or conversion |
///
/// `data` is read in any format of this package that has JSON objects, and as Bandolier's own events, which keep their
/// own `id` if they have one. Events without data are counted and not imported; those with `data_base64` are rejected.
public struct CloudEvents: FieldFormat {
  public static let info = SpecificationInfo(
    "cloudevents", "CloudEvents around the records of another format, as JSON objects",
    source: "https://github.com/cloudevents/spec")

  public static let recognition = "JSON with specversion, id, source and type"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    guard sample.keys != nil else { return .unrelated }
    return sample.match(fields: "specversion", "id", "source", "type")
  }

  public func makeReader(_ input: ImportInput) -> CloudEventsReader { CloudEventsReader(input) }
}
