public import Events

/// `growthbook`: the assignment table `exposures.csv`, with attributes of the context as dimension columns, and the
/// fact table `facts.csv`, with goals and conversions.
///
/// | column of `facts.csv` | shows |
/// |---|---|
/// | `goal` | the goal |
/// | `value` | the value of a goal, or the revenue of a conversion, below 0 if it is negative |
/// | `experiment` | the experiment of a goal; empty for conversions, by which they are told apart |
/// | others | the metadata |
///
/// An attribute whose name is that of another column gets `context.` or `metadata.` before it. The tables have no place
/// for ids, points, slots, choices, propensities, probabilities, policies, reasons, features, and the names of systems
/// and instances. A repeated decision is a row like any other exposure. Excluded and provisional decisions, refused
/// goals, data points and life-cycle events are counted and not written, and neither are negative conversions without
/// revenue, which nothing in a row would tell from the conversions of a converter.
extension GrowthBook: TableExportFormat {
  /// Returns the tables `exposures.csv` and `facts.csv`.
  public static func makeTables(_ names: AttributeNames) -> [EventTable] {
    let exposures: [(String, EventTable.Column)] = [
      ("timestamp", EventColumns.time), ("user_id", EventColumns.text(.unit)),
      ("experiment_id", EventColumns.text(.experiment)),
      ("variation_id", EventColumns.text(.variant)),
    ]
    let facts: [(String, EventTable.Column)] = [
      ("timestamp", EventColumns.time), ("user_id", EventColumns.text(.unit)),
      ("goal", EventColumns.text(.goal)), ("value", EventColumns.number(value)),
      ("experiment", EventColumns.text(.experiment)),
    ]
    let metadata = Set(names.metadata(of: .goal) + names.metadata(of: .conversion)).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    return [
      EventTable(
        "exposures.csv", [.decision],
        exposures
          + columns(names.context, "context.", besides: exposures.map(\.0), .context)),
      EventTable(
        "facts.csv", [.goal, .conversion],
        facts + columns(metadata, "metadata.", besides: facts.map(\.0), .metadata)),
    ]
  }

  /// Returns the kind of an event that is no exposure and no fact, or is a negative conversion without revenue.
  public static func omission(of event: EventRecord) -> String? {
    if event.kind == .conversion, event.isReversal, (event.revenue ?? 0) == 0 {
      return "negative conversions without revenue"
    }
    switch event.status {
    case .excluded: return "excluded decisions"
    case .provisional: return "provisional decisions"
    case .refused: return "refused goals"
    default: return event.kind == .dataPoint ? "data points" : nil
    }
  }

  /// Returns nothing: the fields without a column are always the same.
  public static func losses(of event: EventRecord) -> [String] { [] }

  @Sendable
  private static func value(_ event: EventRecord) -> Double? {
    guard event.kind == .conversion else { return event.value }
    return event.revenue.map { Conversion.signed($0, isNegative: event.isReversal) }
  }

  /// Returns a column for each attribute, under a name that no other column has.
  private static func columns(
    _ names: [String], _ prefix: String, besides others: [String],
    _ list: AttributeList
  ) -> [(String, EventTable.Column)] {
    var taken = Set(others + names)
    return names.map { name in
      guard others.contains(name) else { return (name, EventColumns.attribute(list, name)) }
      var own = prefix + name
      while !taken.insert(own).inserted { own = prefix + own }
      return (own, EventColumns.attribute(list, name))
    }
  }
}
