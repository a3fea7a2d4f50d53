import Events

/// `csv`: a flat table for each kind of event, with a column for each field and attribute; the columns have the names of
/// the fields in an ``EventMapping``, so that `FIELD=FIELD` maps each of them back.
///
/// An attribute that is a text but looks like a number or a truth value is one when it is imported again. Life-cycle
/// events and fields of other systems have no column.
extension OwnTable: TableExportFormat {
  /// Returns the tables `decisions.csv`, `goals.csv`, `conversions.csv` and `data_points.csv`.
  public static func makeTables(_ names: AttributeNames) -> [EventTable] {
    [decisions(names), goals(names), conversions(names), dataPoints]
  }

  private static let envelope: [(String, EventTable.Column)] = [
    ("time", EventColumns.time), ("unit", EventColumns.text(.unit)), ("id", EventColumns.text(.id)),
  ]

  private static func decisions(_ names: AttributeNames) -> EventTable {
    EventTable(
      "decisions.csv", [.decision],
      envelope + [
        ("experiment", EventColumns.text(.experiment)), ("point", EventColumns.text(.point)),
        ("slot", EventColumns.text(.slot)), ("variant", EventColumns.text(.variant)),
        ("choices", EventColumns.choices),
        ("propensity", EventColumns.number { $0.propensity }),
        ("probabilities", EventColumns.probabilities), ("policy", EventColumns.text(.policy)),
        ("reason", EventColumns.text(.reason)), ("status", EventColumns.status),
      ] + names.context.map { ("context.\($0)", EventColumns.context($0)) }
        + names.features.map {
          ("features.\($0.variant).\($0.name)", EventColumns.feature($0.variant, $0.name))
        })
  }

  private static func goals(_ names: AttributeNames) -> EventTable {
    EventTable(
      "goals.csv", [.goal],
      envelope + [
        ("experiment", EventColumns.text(.experiment)), ("point", EventColumns.text(.point)),
        ("slot", EventColumns.text(.slot)), ("goal", EventColumns.text(.goal)),
        ("value", EventColumns.number { $0.value }), ("status", EventColumns.status),
        ("reason", EventColumns.text(.reason)),
      ] + metadata(.goal, names))
  }

  private static func conversions(_ names: AttributeNames) -> EventTable {
    EventTable(
      "conversions.csv", [.conversion],
      envelope + [
        ("goal", EventColumns.text(.goal)), ("revenue", EventColumns.number { $0.revenue }),
        ("negative", EventColumns.negative),
      ] + metadata(.conversion, names))
  }

  private static let dataPoints = EventTable(
    "data_points.csv", [.dataPoint],
    envelope + [
      ("kind", EventColumns.text(.dataKind)), ("key", EventColumns.text(.key)),
      ("value", EventColumns.dataValue),
    ])

  private static func metadata(
    _ kind: EventKind, _ names: AttributeNames
  ) -> [(String, EventTable.Column)] {
    names.metadata(of: kind).map { ("metadata.\($0)", EventColumns.metadata($0)) }
  }
}
