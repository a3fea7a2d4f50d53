import Events

/// `growthbook`: the assignment table `exposures.csv`, with attributes of the context as dimension columns, and the fact
/// table `facts.csv`, with goals and conversions.
extension GrowthBook: TableExportFormat {
  /// Returns the tables `exposures.csv` and `facts.csv`.
  public static func makeTables(_ names: AttributeNames) -> [EventTable] {
    let value: @Sendable (EventRecord) -> Double? = { event in
      event.kind == .goal ? event.value : event.revenue
    }
    return [
      EventTable(
        "exposures.csv", [.decision],
        [
          ("timestamp", EventColumns.time), ("user_id", EventColumns.text(.unit)),
          ("experiment_id", EventColumns.text(.experiment)),
          ("variation_id", EventColumns.text(.variant)),
        ] + names.context.map { ($0, EventColumns.context($0)) }),
      EventTable(
        "facts.csv", [.goal, .conversion],
        [
          ("timestamp", EventColumns.time), ("user_id", EventColumns.text(.unit)),
          ("goal", EventColumns.text(.goal)), ("value", EventColumns.number(value)),
        ]),
    ]
  }
}
