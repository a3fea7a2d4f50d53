internal import Arrow
internal import Events

/// The values of one attribute, as numbers, texts or truth values.
struct AttributeBuilder: Sendable {
  private let type: ArrowAttribute.ValueType
  private var numbers = ValueBuilder<Double>()
  private var texts = TextBuilder()
  private var flags = FlagBuilder()

  init(_ type: ArrowAttribute.ValueType) { self.type = type }

  /// Appends a value, or null. A value of another type than the column's is shown as a text, and a large integer as the
  /// nearest number.
  mutating func append(_ value: EventRecord.Value?, of event: EventRecord) {
    switch (type, value) {
    case (.number, .number(let number)): numbers.append(number)
    case (.number, .integer(let integer)): numbers.append(Double(integer))
    case (.number, _): numbers.append(nil)
    case (.flag, .flag(let flag)): flags.append(flag)
    case (.flag, _): flags.append(nil)
    case (.text, .text(let slice)): texts.append(event.bytes[slice.range])
    case (.text, nil): texts.append(nil)
    case (.text, let value?):
      var text: [UInt8] = []
      JSONBytes.append(value, event, to: &text)
      texts.append(text[...])
    }
  }

  mutating func take() -> ArrowArray {
    switch type {
    case .number: numbers.take()
    case .text: texts.take()
    case .flag: flags.take()
    }
  }
}

extension EventRecord {
  /// Returns the value of the attribute of a name in a list; nil if there is none.
  fileprivate func value(
    of name: [UInt8], in attributes: ArraySlice<Attribute>
  ) -> Value? {
    for attribute in attributes
    where Int(attribute.name.count) == name.count
      && bytes[attribute.name.range].elementsEqual(name)
    { return attribute.value }
    return nil
  }
}

/// An attribute of contexts or metadata.
final class AttributeRowColumn: ArrowRowColumn {
  private let name: [UInt8]
  private let list: (EventRecord) -> [EventRecord.Attribute]
  private var builder: AttributeBuilder

  init(
    _ attribute: ArrowAttribute, _ list: @escaping (EventRecord) -> [EventRecord.Attribute]
  ) {
    name = attribute.bytes
    self.list = list
    builder = AttributeBuilder(attribute.type)
  }

  func append(_ event: EventRecord) {
    builder.append(event.value(of: name, in: list(event)[...]), of: event)
  }

  func take() -> ArrowArray { builder.take() }
}

/// The attributes of the choices: a map from the variant to a struct of all attributes.
final class FeatureMaps: ArrowRowColumn {
  private let attributes: [ArrowAttribute]
  private var lists = ListBuilder()
  private var variants = TextBuilder()
  private var values: [AttributeBuilder]
  private var count = 0

  init(_ attributes: [ArrowAttribute]) {
    self.attributes = attributes
    values = attributes.map { AttributeBuilder($0.type) }
  }

  /// Appends an event without features.
  func appendNull() { lists.append(nil) }

  func append(_ event: EventRecord) {
    lists.append(event.hasFeatures ? event.featureGroups.count : nil)
    var start = 0
    for group in event.featureGroups {
      let range = start..<start + group.count
      start = range.upperBound
      variants.append(event.bytes[group.variant.range])
      for (index, attribute) in attributes.enumerated() {
        values[index].append(
          event.value(of: attribute.bytes, in: event.features[range]), of: event)
      }
      count += 1
    }
  }

  func take() -> ArrowArray {
    defer { count = 0 }
    let fields = ArrowArray(fields: values.indices.map { values[$0].take() }, count: count)
    return lists.take(ArrowArray(fields: [variants.take(), fields], count: count))
  }
}
