internal import Arrow
internal import EventLog
internal import Events

/// A column of a batch that is built event by event.
protocol ArrowRowColumn: AnyObject {
  /// Appends what an event has.
  func append(_ event: EventRecord)

  /// Returns the column and empties it.
  func take() -> ArrowArray
}

/// The batches of an exported stream, built event by event: the plain way, which shows whatever an event can have, and
/// which the tests compare ``ArrowFrameColumns`` with.
final class ArrowRows {
  private let columns: [any ArrowRowColumn]
  /// The number of events.
  private(set) var count = 0
  private var byteCount = 0

  /// Whether the events have so much text that they should be written, long before offsets of 32 bits are too small.
  var isFull: Bool { byteCount >= 1 << 28 }

  /// Creates the columns in the order of the schema.
  init(_ plan: ArrowColumns, _ names: ArrowNames) {
    let attributes: [any ArrowRowColumn] =
      plan.context.map { AttributeRowColumn($0) { $0.context } }
      + plan.metadata.map { AttributeRowColumn($0) { $0.metadata } }
    columns = plan.ordered(attributes) { column in
      Self.make(column, plan.attributes, names)
    }
  }

  /// Creates a column.
  static func make(
    _ column: ArrowEventColumn, _ attributes: ArrowAttributes, _ names: ArrowNames
  ) -> any ArrowRowColumn {
    switch column {
    case .type: ArrowValues<Int32> { Int32($0.kind.rawValue) - 1 }
    case .time: ArrowValues<Int64> { $0.time.microseconds }
    case .status: ArrowValues<Int32> { $0.status.map { Int32($0.rawValue) - 1 } }
    case .propensity: ArrowValues<Double> { $0.propensity }
    case .value: ArrowValues<Double> { $0.value ?? Self.number($0.dataValue) }
    case .revenue: ArrowValues<Double> { $0.revenue }
    case .negative: ArrowFlags { $0.negative }
    case .valueFlag: ArrowFlags { if case .flag(let flag) = $0.dataValue { flag } else { nil } }
    case .valueText:
      ArrowTexts { event in
        if case .text(let slice) = event.dataValue { event.bytes[slice.range] } else { nil }
      }
    case .choices: ChoiceLists(names)
    case .probabilities: ProbabilityLists()
    case .changed: ChangedLists()
    case .features: FeatureMaps(attributes.features)
    case .json: WholeEvents(attributes)
    default: names.field(column)
    }
  }

  private static func number(_ value: EventRecord.Value?) -> Double? {
    switch value {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    default: nil
    }
  }

  /// Appends an event.
  func append(_ event: EventRecord) {
    for column in columns { column.append(event) }
    count += 1
    byteCount += event.bytes.count
  }

  /// Returns the columns and empties them.
  func take() -> [ArrowArray] {
    (count, byteCount) = (0, 0)
    return columns.map { $0.take() }
  }
}

/// Numbers, times or codes.
final class ArrowValues<Value: BitwiseCopyable & AdditiveArithmetic & Sendable>: ArrowRowColumn {
  private let value: (EventRecord) -> Value?
  private var builder = ValueBuilder<Value>()

  init(_ value: @escaping (EventRecord) -> Value?) { self.value = value }

  func append(_ event: EventRecord) { builder.append(value(event)) }

  func take() -> ArrowArray { builder.take() }
}

/// Truth values.
private final class ArrowFlags: ArrowRowColumn {
  private let value: (EventRecord) -> Bool?
  private var builder = FlagBuilder()

  init(_ value: @escaping (EventRecord) -> Bool?) { self.value = value }

  func append(_ event: EventRecord) { builder.append(value(event)) }

  func take() -> ArrowArray { builder.take() }
}

/// Texts.
final class ArrowTexts: ArrowRowColumn {
  private let text: (EventRecord) -> ArraySlice<UInt8>?
  private var builder = TextBuilder()

  init(_ text: @escaping (EventRecord) -> ArraySlice<UInt8>?) { self.text = text }

  func append(_ event: EventRecord) { builder.append(text(event)) }

  func take() -> ArrowArray { builder.take() }
}

/// The choices, as codes of variants.
private final class ChoiceLists: ArrowRowColumn {
  private let names: ArrowNames
  private var lists = ListBuilder()
  private var codes = ValueBuilder<Int32>()

  init(_ names: ArrowNames) { self.names = names }

  func append(_ event: EventRecord) {
    lists.append(event.hasChoices ? event.choices.count : nil)
    for choice in event.choices { codes.append(names.index(event.bytes[choice.range], .variants)) }
  }

  func take() -> ArrowArray { lists.take(codes.take()) }
}

/// The probabilities of the choices.
private final class ProbabilityLists: ArrowRowColumn {
  private var lists = ListBuilder()
  private var numbers = ValueBuilder<Double>()

  func append(_ event: EventRecord) {
    lists.append(event.hasProbabilities ? event.probabilities.count : nil)
    for number in event.probabilities { numbers.append(number) }
  }

  func take() -> ArrowArray { lists.take(numbers.take()) }
}

/// The names of what a configuration changed.
private final class ChangedLists: ArrowRowColumn {
  private var lists = ListBuilder()
  private var texts = TextBuilder()

  func append(_ event: EventRecord) {
    lists.append(event.hasChanged ? event.changed.count : nil)
    for name in event.changed { texts.append(event.bytes[name.range]) }
  }

  func take() -> ArrowArray { lists.take(texts.take()) }
}

/// The whole event as a JSON Line, where the other columns do not show all of it.
private final class WholeEvents: ArrowRowColumn {
  private let attributes: ArrowAttributes
  private var builder = TextBuilder()
  private var line: [UInt8] = []

  init(_ attributes: ArrowAttributes) { self.attributes = attributes }

  func append(_ event: EventRecord) {
    guard !attributes.show(event) else { return builder.append(nil) }
    line.removeAll(keepingCapacity: true)
    JSONLinesEncoder.append(event, to: &line)
    builder.append(line.dropLast())
  }

  func take() -> ArrowArray { builder.take() }
}
