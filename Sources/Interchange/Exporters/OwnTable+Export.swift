public import Events

/// `csv`: a flat table for each kind of event, with a column for each field and attribute; the columns have the names
/// of the fields in an ``EventMapping``, so that `FIELD=FIELD` maps each of them back.
///
/// An attribute that is a text but looks like a number or a truth value is one when it is imported again, and a field
/// that is an empty text or an empty list is absent. Life-cycle events have no table; the names of the systems and
/// instances that wrote an event, fields of other systems, and features that no entry of a mapping can name (of a
/// choice whose name has a dot, or without a name) have no column. These are counted, as are attributes of that kind:
/// an attribute without a name, named `*`, with `=` in its name, or with `:` at its end.
extension OwnTable: TableExportFormat {
  /// Returns the tables `decisions.csv`, `goals.csv`, `conversions.csv` and `data_points.csv`.
  public static func makeTables(_ names: AttributeNames) -> [EventTable] {
    [decisions(names), goals(names), conversions(names), dataPoints]
  }

  /// Returns nil: life-cycle events are those without a table.
  public static func omission(of event: EventRecord) -> String? { nil }

  /// Returns names of systems and instances, fields of other systems, and attributes without a column.
  public static func losses(of event: EventRecord) -> [String] {
    var losses: [String] = []
    if event[.system].isPresent || event[.instance].isPresent {
      losses.append("names of the systems and instances that wrote events")
    }
    if event[.unknown].count > 0 { losses.append("fields of other systems") }
    let attributes = event.context + event.metadata
    if attributes.contains(where: { !hasColumn(event.bytes[$0.name.range]) }) {
      losses.append("attributes whose name is empty or *, has an =, or ends in :")
    }
    var start = 0
    for group in event.featureGroups {
      let features = event.features[start..<start + group.count]
      start += group.count
      let isNamed = hasColumn(ofChoice: event.bytes[group.variant.range])
      if !features.allSatisfy({ isNamed && hasColumn(event.bytes[$0.name.range]) }) {
        losses.append("features of choices with dots in their names, or without a name")
        break
      }
    }
    return losses
  }

  /// Whether a mapping can name an attribute.
  private static func hasColumn(_ name: some Collection<UInt8>) -> Bool {
    let bytes = Array(name)
    return !bytes.isEmpty && bytes != [UInt8(ascii: "*")] && !bytes.contains(UInt8(ascii: "="))
      && bytes.last != UInt8(ascii: ":")
  }

  /// Whether a mapping can name the features of a choice.
  private static func hasColumn(ofChoice name: some Collection<UInt8>) -> Bool {
    hasColumn(name) && !name.contains(UInt8(ascii: "."))
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
      ] + contextAndFeatures(names))
  }

  private static func contextAndFeatures(
    _ names: AttributeNames
  ) -> [(String, EventTable.Column)] {
    names.context.filter { hasColumn($0.utf8) }.map {
      ("context.\($0)", EventColumns.context($0))
    }
      + names.features.filter { hasColumn(ofChoice: $0.variant.utf8) && hasColumn($0.name.utf8) }
      .map { ("features.\($0.variant).\($0.name)", EventColumns.feature($0.variant, $0.name)) }
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
    names.metadata(of: kind).filter { hasColumn($0.utf8) }.map {
      ("metadata.\($0)", EventColumns.metadata($0))
    }
  }
}
