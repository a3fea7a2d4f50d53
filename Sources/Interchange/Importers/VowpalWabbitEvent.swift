import Events

/// The lines of one event by what they describe.
struct VowpalWabbitEvent {
  let bytes: [UInt8]
  private var shared: [VowpalWabbitLine] = []
  private(set) var actions: [VowpalWabbitLine] = []
  private(set) var slots: [VowpalWabbitLine] = []

  init(_ bytes: [UInt8], _ lines: [VowpalWabbitLine]) throws(Rejection) {
    self.bytes = bytes
    let hasSlots = lines.contains { $0.kind == .slot || $0.kind == .slotAction }
    for line in lines {
      switch line.kind {
      case .slotShared: shared.append(line)
      case .slot: slots.append(line)
      case .slotAction: actions.append(line)
      case .plain, .shared, .other:
        guard !hasSlots else {
          throw Rejection(.event, "a line of an event with \"ccb\" does not begin with \"ccb\"")
        }
        if line.kind == .shared { shared.append(line) } else { actions.append(line) }
      }
    }
    guard shared.count <= 1 else {
      throw Rejection(.event, "an event has two \"shared\" lines; separate events by blank lines")
    }
  }

  func addShared(to event: inout EventRecord) throws(Rejection) {
    guard let line = shared.first else { return }
    try VowpalWabbitFeatures.add(of: line, bytes, to: .context, of: &event)
  }

  /// Adds the choices with their features, and sets the variant.
  func addChoices(
    _ choices: [Int], chosen: Int, to event: inout EventRecord
  ) throws(Rejection) {
    event.hasChoices = true
    for action in choices {
      let name = event.add("\(action + 1)")
      event.choices.append(name)
      if action == chosen { event[.variant] = name }
      let before = event.features.count
      try VowpalWabbitFeatures.add(of: actions[action], bytes, to: .features, of: &event)
      guard event.features.count > before else { continue }
      event.featureGroups.append(
        EventRecord.FeatureGroup(variant: name, count: event.features.count - before))
    }
  }
}

/// The label of a slot.
struct VowpalWabbitSlot {
  /// The actions in the label, the chosen one first, counted from 0.
  private(set) var ranking: [Int] = []
  /// Their probabilities.
  private(set) var probabilities: [Double] = []
  /// The cost.
  private(set) var cost: Double?
  /// The actions that are allowed.
  private var allowed: [Int]

  /// Reads `ccb slot a:cost:probability,a2:probability2 ids`; nil if the slot has no label.
  init?(_ line: VowpalWabbitLine, _ event: VowpalWabbitEvent) throws(Rejection) {
    allowed = Array(event.actions.indices)
    for word in line.words.dropFirst(2) {
      let text = event.bytes[word]
      let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      if text.contains(UInt8(ascii: ":")) {
        guard ranking.isEmpty else { throw VowpalWabbitLabel.malformed(text) }
        for part in parts { try add(part) }
      } else {
        allowed = try Self.actions(parts)
      }
    }
    guard !ranking.isEmpty else { return nil }
    let count = event.actions.count
    if let action = (ranking + allowed).first(where: { $0 >= count }) {
      throw Rejection(.item, "action \(action) of a slot is not among the \(count), counted from 0")
    }
    guard Set(ranking).count == ranking.count else {
      throw Rejection(.item, "an action occurs twice in the label of a slot")
    }
  }

  private mutating func add(_ part: ArraySlice<UInt8>) throws(Rejection) {
    let fields = part.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard fields.count == (ranking.isEmpty ? 3 : 2), let action = VowpalWabbitLabel.whole(fields[0])
    else { throw VowpalWabbitLabel.malformed(part) }
    if ranking.isEmpty { cost = try VowpalWabbitLabel.number(fields[1], part) }
    ranking.append(action)
    probabilities.append(try VowpalWabbitLabel.number(fields[fields.count - 1], part))
  }

  private static func actions(_ parts: [ArraySlice<UInt8>]) throws(Rejection) -> [Int] {
    var actions: Set<Int> = []
    for part in parts {
      guard let action = VowpalWabbitLabel.whole(part) else {
        throw VowpalWabbitLabel.malformed(part)
      }
      actions.insert(action)
    }
    return actions.sorted()
  }

  /// The choices: the actions of the label, or the allowed ones without those of earlier slots.
  func choices(besides taken: Set<Int>) -> [Int] {
    guard ranking.count == 1 else { return ranking.sorted() }
    return Set(allowed).subtracting(taken).union(ranking).sorted()
  }
}

/// Reads the features of a line.
enum VowpalWabbitFeatures {
  /// Adds the tag and the features of a line to a list of attributes, with a prefix before their names if there is one.
  ///
  /// - Throws: ``Rejection`` if a feature has no name or its value is no number.
  static func add(
    of line: VowpalWabbitLine, _ bytes: [UInt8], to list: FlatList, of event: inout EventRecord,
    under prefix: String? = nil
  ) throws(Rejection) {
    var reader = VowpalWabbitFeatureReader(bytes, list, prefix)
    if let tag = line.tag, !tag.isEmpty {
      let text = event.add(bytes[tag])
      try reader.append(reader.name("_tag".utf8[...], &event), .text(text), to: &event)
    }
    var start = line.features.lowerBound
    while start < line.features.upperBound {
      let rest = bytes[start + 1..<line.features.upperBound]
      let end = rest.firstIndex(of: UInt8(ascii: "|")) ?? line.features.upperBound
      try reader.addNamespace(rest[..<end], to: &event)
      start = end
    }
  }
}

/// Adds the features of one line to an event.
private struct VowpalWabbitFeatureReader {
  private let bytes: [UInt8]
  private let list: FlatList
  private let prefix: [UInt8]
  private var namespace: ArraySlice<UInt8> = []
  private var places: [[UInt8]: Int] = [:]

  init(_ bytes: [UInt8], _ list: FlatList, _ prefix: String?) {
    self.bytes = bytes
    self.list = list
    self.prefix = prefix.map { Array($0.utf8) + [UInt8(ascii: ".")] } ?? []
  }

  /// Adds the features between two bars.
  mutating func addNamespace(
    _ text: ArraySlice<UInt8>, to event: inout EventRecord
  ) throws(Rejection) {
    var words = VowpalWabbitLine.words(text)[...]
    var weight = 1.0
    namespace = []
    if let first = words.first, first.lowerBound == text.startIndex {
      let (name, value) = try Self.parts(bytes[first])
      (namespace, weight) = (name, value ?? 1)
      words = words.dropFirst()
    }
    for word in words {
      let (name, value) = try Self.parts(bytes[word])
      guard !name.isEmpty else {
        let text = String(decoding: bytes[word].prefix(40), as: UTF8.self)
        throw Rejection(.event, "the feature \"\(text)\" has no name")
      }
      guard event.bytes.count < FieldTree.longest else {
        throw Rejection(
          .event, "the names of features take more than 256 MiB; shorten those of namespaces")
      }
      let product = (value ?? 1) * weight
      guard product.isFinite else { throw Self.malformed(bytes[word]) }
      try append(self.name(name, &event), .number(product), to: &event)
    }
  }

  /// Splits `name:value`.
  private static func parts(
    _ word: ArraySlice<UInt8>
  ) throws(Rejection) -> (name: ArraySlice<UInt8>, value: Double?) {
    guard let colon = word.firstIndex(of: UInt8(ascii: ":")) else { return (word, nil) }
    let text = word[(colon + 1)...]
    guard let value = JSONNumber.double(of: text.span) else { throw malformed(word) }
    return (word[..<colon], value)
  }

  private static func malformed(_ word: ArraySlice<UInt8>) -> Rejection {
    Rejection(
      .number,
      "the value of \"\(String(decoding: word.prefix(40), as: UTF8.self))\" must be a number")
  }

  func name(
    _ name: some Collection<UInt8>, _ event: inout EventRecord
  ) -> EventRecord.Slice {
    let start = event.bytes.count
    event.bytes.append(contentsOf: prefix)
    if !namespace.isEmpty {
      event.bytes.append(contentsOf: namespace)
      event.bytes.append(UInt8(ascii: "."))
    }
    event.bytes.append(contentsOf: name)
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }

  /// Adds an attribute, or adds its number to that of the attribute of the same name.
  mutating func append(
    _ name: EventRecord.Slice, _ value: EventRecord.Value, to event: inout EventRecord
  ) throws(Rejection) {
    let key = Array(event.bytes[name.range])
    let isContext = list == .context
    if let place = places[key] {
      let other = isContext ? event.context[place].value : event.features[place].value
      guard case .number(let new) = value, case .number(let old) = other, (old + new).isFinite
      else {
        throw Rejection(
          .number,
          "the values of \"\(String(decoding: key.prefix(40), as: UTF8.self))\" do not add up to a number"
        )
      }
      if isContext {
        event.context[place].value = .number(old + new)
      } else {
        event.features[place].value = .number(old + new)
      }
      return
    }
    places[key] = isContext ? event.context.count : event.features.count
    let attribute = EventRecord.Attribute(name: name, value: value)
    if isContext {
      event.hasContext = true
      event.context.append(attribute)
    } else {
      event.hasFeatures = true
      event.features.append(attribute)
    }
  }
}
