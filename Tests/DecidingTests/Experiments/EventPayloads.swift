import Events

extension Event {
  /// The decision, if it is one.
  var toldDecision: Decision? {
    guard case .decision(let decision) = payload else { return nil }
    return decision
  }

  /// The conversion, if it is one.
  var toldConversion: Conversion? {
    guard case .conversion(let conversion) = payload else { return nil }
    return conversion
  }

  /// The data point, if it is one.
  var toldDatum: DataPoint? {
    guard case .dataPoint(let datum) = payload else { return nil }
    return datum
  }

  /// The configuration applied, if it is one.
  var toldConfiguration: ConfigurationApplied? {
    guard case .configurationApplied(let applied) = payload else { return nil }
    return applied
  }
}
