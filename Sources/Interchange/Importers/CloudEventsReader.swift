import Events
import Specifications

/// Converts CloudEvents by a reader of what they contain.
public struct CloudEventsReader: FieldReader {
  private enum Content {
    case records(any FieldReader)
    case events(JSONLinesDecoder)
  }

  /// The events of one `type`, whose data has one format.
  private struct Kind {
    var type: [UInt8]
    var content: Content?
    /// Its producer's times.
    var times = InputTimes()
  }

  /// The maximum number of types whose formats are kept; that of a further one replaces the oldest.
  private static let mostKinds = 256

  private let input: ImportInput
  private var kinds: [Kind] = []
  private var line: [UInt8] = []

  init(_ input: ImportInput) { self.input = input }

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let id = try fields.require("id")
    let source = try fields.require("source")
    fields.use(try fields.require("specversion"))
    guard let data = fields.find("data") else {
      guard fields.find("data_base64") == nil else {
        throw Rejection(.event, "\"data_base64\" cannot be read; send JSON objects in \"data\"")
      }
      return record.ignore("events without data")
    }
    guard fields.isObject(data) else {
      throw Rejection(
        .event, "\"data\" is \(Self.kind(of: data, fields)) and must be a JSON object")
    }
    let kind = try kind(of: data, fields)
    guard let content = kinds[kind].content else { return }
    kinds[kind].content = nil
    var keepsIDs = false
    switch content {
    case .records(var reader):
      defer { kinds[kind].content = .records(reader) }
      let envelope = fields.root
      fields.envelopeTime = fields.find("time")
      fields.root = data
      swap(&fields.times, &kinds[kind].times)
      defer {
        swap(&fields.times, &kinds[kind].times)
        fields.root = envelope
      }
      try reader.read(&fields, into: &record)
    case .events(var decoder):
      defer { kinds[kind].content = .events(decoder) }
      keepsIDs = fields.find("id", in: data) != nil
      try read(data, by: &decoder, fields, into: &record)
    }
    guard record.ignored == nil else { return }
    fields.use(data)
    try addAttributes(to: &record, &fields, keepsIDs: keepsIDs)
    if !keepsIDs {
      record.identify(joining: source, id, of: fields)
      record.hasUniqueIDs = true
    }
  }

  /// Returns the index of the events of the same type, whose format the first of them tells.
  private mutating func kind(
    of data: FieldTree.Field, _ fields: FieldTree
  ) throws(Rejection) -> Int {
    let type = fields.find("type").map { fields.text($0) } ?? []
    for index in kinds.indices where kinds[index].type.elementsEqual(type) { return index }
    let content = try recognize(data, fields)
    if kinds.count == Self.mostKinds { kinds.removeFirst() }
    kinds.append(Kind(type: Array(type), content: content))
    return kinds.count - 1
  }

  /// Returns a reader of the format that data is in.
  private func recognize(
    _ data: FieldTree.Field, _ fields: FieldTree
  ) throws(Rejection) -> Content {
    let sample = InputSample(Array(fields.text(data)))
    if case .match = JSONLines.match(sample) { return .events(JSONLinesDecoder()) }
    for entry in FormatCatalog.standard.entries {
      guard let type = entry.made as? any FieldFormat.Type, case .match = type.match(sample) else {
        continue
      }
      do {
        return .records(try type.anyReader(input))
      } catch {
        throw Rejection(.event, "\"data\" looks like \(type.info.name): \(error)")
      }
    }
    let names = (sample.keys ?? []).prefix(6).map { "\"\($0.prefix(40))\"" }
    throw Rejection(
      .event, "\"data\" has the fields \(names.joined(separator: ", ")), which no format has")
  }

  /// Decodes an event of Bandolier, with the envelope's time if it has none.
  private mutating func read(
    _ data: FieldTree.Field, by decoder: inout JSONLinesDecoder, _ fields: FieldTree,
    into record: inout ImportedRecord
  ) throws(Rejection) {
    line.removeAll(keepingCapacity: true)
    var text = fields.text(data)
    if fields.find("time", in: data) == nil, let time = fields.find("time") {
      guard Timestamp(iso8601: fields.text(time).span) != nil else {
        let text = fields.string(time).prefix(40)
        throw Rejection(.time, "\"time\" is \"\(text)\", which is not ISO 8601 with offset")
      }
      line.append(contentsOf: "{\"time\":\"".utf8)
      line.append(contentsOf: fields.text(time))
      line.append(contentsOf: "\",".utf8)
      text = text.dropFirst()
    }
    line.append(contentsOf: text)
    let index = record.add(.decision, at: Timestamp(microseconds: 0))
    do throws(JSONLineError) {
      try decoder.decode(line.span, into: &record.events[index])
    } catch {
      throw Rejection(.json, error.reason)
    }
  }

  /// Adds the unused attributes of the envelope to each decision, goal and conversion, and the id that the data had
  /// unless it stays that of the event.
  private func addAttributes(
    to record: inout ImportedRecord, _ fields: inout FieldTree, keepsIDs: Bool
  ) throws(Rejection) {
    for index in 0..<record.count {
      let kind = record.events[index].kind
      guard kind == .decision || kind == .goal || kind == .conversion else { continue }
      let list = kind == .decision ? AttributeList.context : .metadata
      var rest = fields
      if !keepsIDs, record.events[index][.id].isPresent {
        let name = record.events[index].add("cloudevents.data.id")
        let id = EventRecord.Value.text(record.events[index][.id])
        record.events[index].add(EventRecord.Attribute(name: name, value: id), to: list)
      }
      let prefix = record.events[index].add("cloudevents")
      try rest.addUnused(to: list, of: &record.events[index], under: fields.root, prefix: prefix)
    }
  }

  private static func kind(of field: FieldTree.Field, _ fields: FieldTree) -> String {
    fields.isList(field) ? "a list" : "\"\(fields.string(field).prefix(40))\""
  }
}

extension FieldFormat {
  /// Returns a reader whose type only the format knows.
  static func anyReader(_ input: ImportInput) throws -> any FieldReader {
    try Self(Specification(info.name)).makeReader(input)
  }
}
