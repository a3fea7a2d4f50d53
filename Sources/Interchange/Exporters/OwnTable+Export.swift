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
    [
      table("decisions.csv", .decision, names), table("goals.csv", .goal, names),
      table("conversions.csv", .conversion, names), table("data_points.csv", .dataPoint, names),
    ]
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

  private static func table(
    _ name: String, _ kind: EventKind, _ names: AttributeNames
  ) -> EventTable {
    EventTable(
      name, [kind],
      [
        ("time", EventColumns.time), ("unit", EventColumns.text(.unit)),
        ("id", EventColumns.text(.id)),
      ] + kind.fieldRows.filter { !$0.isOfEveryKind }.flatMap { columns(of: $0, kind, names) })
  }

  /// Returns the columns of a field.
  private static func columns(
    of row: EventFieldRow, _ kind: EventKind, _ names: AttributeNames
  ) -> [(String, EventTable.Column)] {
    switch row.content {
    case .name(let field), .text(let field): [(row.name, EventColumns.text(field))]
    case .number(let field): [(row.name, EventColumns.number { $0[field] })]
    case .flag: [(row.name, EventColumns.negative)]
    case .status: [(row.name, EventColumns.status)]
    case .texts(let field): [(row.name, EventColumns.texts(field))]
    case .probabilities: [(row.name, EventColumns.probabilities)]
    case .value: [(row.name, EventColumns.dataValue)]
    case .attributes(.context):
      named(names.context) { ("context.\($0)", EventColumns.attribute(.context, $0)) }
    case .attributes(.metadata):
      named(names.metadata(of: kind)) { ("metadata.\($0)", EventColumns.attribute(.metadata, $0)) }
    case .features:
      names.features.filter { hasColumn(ofChoice: $0.variant.utf8) && hasColumn($0.name.utf8) }
        .map {
          ("features.\($0.variant).\($0.name)", EventColumns.feature($0.variant, $0.name))
        }
    case .kind, .time, .json: []
    }
  }

  private static func named(
    _ names: [String], _ column: (String) -> (String, EventTable.Column)
  ) -> [(String, EventTable.Column)] {
    names.filter { hasColumn($0.utf8) }.map(column)
  }
}
