internal import Arrow
public import Specifications

/// `arrow`: events as an Arrow stream, one per row, in columns named as the fields of native JSON Lines; as the export
/// writes it, and as any program can that has such a table.
///
/// `type`, `time` and `unit` are required, and what the kind of event needs. Attributes are columns `context.NAME` and
/// `metadata.NAME`, or a struct or map `context` or `metadata`; `features` is a map from the variant to a struct or
/// map. A value of a data point is in `value`, `value_text` or `value_flag`. A row whose column `json` is not null is
/// the event written there, whatever the other columns are.
public struct ArrowEvents: ImportFormat {
  public static let info = SpecificationInfo(
    "arrow", "Bandolier's own events as an Arrow stream, for pyarrow, Polars, DuckDB and pandas",
    source: "Sources/Interchange/Interchange.docc/ArrowAndParquet.md")

  public static let recognition =
    "an Arrow stream or file, or Parquet, with the columns \"type\", \"time\", \"unit\""

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    guard sample.isArrow else { return .unrelated }
    return sample.match(columns: "type", "time", "unit")
  }

  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    var bytes = input.bytes
    if input.mapping != nil { return try OwnTable().open(input) }
    guard try ArrowInput.isArrow(&bytes) else {
      throw ImportError(
        .badData,
        "\(input.path): this is no Arrow stream; leave out --format, or see bandolier formats")
    }
    let stream = try ArrowInput(bytes)
    let columns = try ArrowEventFields(stream.schema, stream.source.name)
    return ArrowRecordSource(stream, ArrowEventReader(columns))
  }
}
