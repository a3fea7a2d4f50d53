/// A field of events: its key in JSON Lines, the kinds of events that have it, and what it holds.
///
/// ``all`` is the one table of the fields. JSON Lines are written by it, and the decoder takes from it which fields a
/// kind has; the columns of Arrow streams and of exported tables, and what a mapping may fill, follow it. Code that is
/// hot has each field by itself, such as the decoder and the log's columns: the tests try all rows on it.
package struct EventFieldRow: Sendable {
  /// What a field holds, and where it is in an ``EventRecord``.
  package enum Content: Hashable, Sendable {
    /// The kind of the event.
    case kind
    /// The time of the event.
    case time
    /// A name, for which JSON Lines may have a whole number.
    case name(EventRecord.TextField)
    /// A text.
    case text(EventRecord.TextField)
    /// A JSON value, preserved without interpretation.
    case json(EventRecord.TextField)
    /// A finite number.
    case number(EventRecord.NumberField)
    /// A truth value: whether a conversion reverses an earlier one.
    case flag
    /// The status.
    case status
    /// A list of texts.
    case texts(EventRecord.ListField)
    /// The probabilities of the choices.
    case probabilities
    /// Attributes by their names.
    case attributes(AttributeList)
    /// The features of choices.
    case features
    /// The value of a data point.
    case value
  }

  let key: JSONLineField
  /// The kinds of events that have the field.
  package let kinds: Set<EventKind>
  package let content: Content
  /// The kinds that did not have it in older versions. For these, what is invalid is preserved without interpretation,
  /// as it was then.
  let laterKinds: Set<EventKind>

  private init(
    _ key: JSONLineField, _ content: Content, _ kinds: Set<EventKind> = Self.everyKind,
    later: Set<EventKind> = []
  ) {
    (self.key, self.content, self.kinds, laterKinds) = (key, content, kinds, later)
  }

  /// The key in JSON Lines, which is also the name of its column.
  package var name: String { key.name }

  /// Whether all kinds of events have the field.
  package var isOfEveryKind: Bool { kinds == Self.everyKind }

  private static let everyKind = Set(EventKind.allCases)

  /// The fields, in the order in which JSON Lines have them. One that has another place or content in some kinds of
  /// events has a row for these.
  package static let all = [
    EventFieldRow(.type, .kind),
    EventFieldRow(.id, .name(.id)),
    EventFieldRow(.time, .time),
    EventFieldRow(.unit, .name(.unit)),
    EventFieldRow(.system, .text(.system), later: everyKind.subtracting([.configurationApplied])),
    EventFieldRow(.instance, .name(.instance), later: everyKind),
    EventFieldRow(
      .experiment, .name(.experiment),
      [.decision, .goal, .sessionExpired, .assignmentRemoved, .decisionConfirmed, .configurationApplied]),
    EventFieldRow(.point, .name(.point), [.decision, .goal, .decisionConfirmed], later: [.goal]),
    EventFieldRow(.slot, .name(.slot), [.decision, .goal, .decisionConfirmed], later: [.goal]),
    EventFieldRow(.variant, .name(.variant), [.decision]),
    EventFieldRow(.choices, .texts(.choices), [.decision]),
    EventFieldRow(.propensity, .number(.propensity), [.decision]),
    EventFieldRow(.probabilities, .probabilities, [.decision]),
    EventFieldRow(.policy, .name(.policy), [.decision]),
    EventFieldRow(.goal, .name(.goal), [.goal, .conversion]),
    EventFieldRow(.value, .number(.value), [.goal]),
    EventFieldRow(.status, .status, [.goal]),
    EventFieldRow(
      .reason, .text(.reason), [.decision, .goal, .sessionExpired, .assignmentRemoved, .configurationApplied]),
    EventFieldRow(.status, .status, [.decision]),
    EventFieldRow(.context, .attributes(.context), [.decision]),
    EventFieldRow(.features, .features, [.decision]),
    EventFieldRow(.revenue, .number(.revenue), [.conversion]),
    EventFieldRow(.negative, .flag, [.conversion]),
    EventFieldRow(.metadata, .attributes(.metadata), [.goal, .conversion]),
    EventFieldRow(.kind, .text(.dataKind), [.dataPoint]),
    EventFieldRow(.key, .name(.key), [.dataPoint]),
    EventFieldRow(.value, .value, [.dataPoint]),
    EventFieldRow(.changed, .texts(.changed), [.configurationApplied]),
    EventFieldRow(.configuration, .json(.configuration), [.configurationApplied]),
  ]

  /// Returns the rows of a field.
  package static func named(_ name: String) -> [EventFieldRow] { all.filter { $0.name == name } }
}

extension EventKind {
  private static let rows = KindTable { kind in EventFieldRow.all.filter { $0.kinds.contains(kind) } }
  private static let keys = KindTable { JSONLineField.Set($0.fieldRows.lazy.map(\.key).filter { $0 != .type }) }
  private static let laterKeys = KindTable { kind in
    JSONLineField.Set(EventFieldRow.all.lazy.filter { $0.laterKinds.contains(kind) }.map(\.key))
  }

  /// The rows of the fields that events of the kind have, in the order in which JSON Lines have them.
  package var fieldRows: [EventFieldRow] { Self.rows[self] }

  /// Returns whether events of the kind have a field, by its key in JSON Lines.
  package func has(field name: String) -> Bool { fieldRows.contains { $0.name == name && $0.content != .kind } }

  /// The fields of events of the kind, other than the type itself. All other members are preserved without
  /// interpretation.
  var fields: JSONLineField.Set { Self.keys[self] }

  /// Fields that older versions knew for some kinds of event only, and preserved without interpretation for this one.
  /// So that their files can still be read, a value that is invalid for such a field is preserved as well.
  var laterFields: JSONLineField.Set { Self.laterKeys[self] }
}

/// A value for each kind of events, which is made once.
struct KindTable<Value: Sendable>: Sendable {
  private let values: [Value]

  init(_ value: (EventKind) -> Value) { values = EventKind.allCases.map(value) }

  /// The value of a kind: the raw values of the kinds begin at 1 and have no gaps.
  subscript(kind: EventKind) -> Value { values[Int(kind.rawValue) - 1] }
}
