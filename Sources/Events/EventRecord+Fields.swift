/// A list of attributes of an event.
public enum AttributeList: Sendable {
  /// The context of the unit that the policy of a decision saw.
  case context
  /// Further attributes, of a goal or a conversion.
  case metadata
}

// The fields by what they hold, where a table names them.
extension EventRecord {
  /// The fields that hold a number.
  package enum NumberField: Hashable, Sendable {
    case propensity, value, revenue
  }

  /// The fields that hold a list of texts.
  package enum ListField: Hashable, Sendable {
    case choices, changed
  }

  /// The number of a field; nil if it was not given.
  package subscript(field: NumberField) -> Double? {
    switch field {
    case .propensity: propensity
    case .value: value
    case .revenue: revenue
    }
  }

  /// The list of a field; nil if it was not given.
  package subscript(field: ListField) -> [Slice]? {
    switch field {
    case .choices: hasChoices ? choices : nil
    case .changed: hasChanged ? changed : nil
    }
  }

  /// The attributes of a field; nil if they were not given.
  package subscript(field: AttributeList) -> [Attribute]? {
    switch field {
    case .context: hasContext ? context : nil
    case .metadata: hasMetadata ? metadata : nil
    }
  }
}
