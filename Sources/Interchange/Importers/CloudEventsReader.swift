import Events
import Statistics

/// Converts CloudEvents by a reader of what they contain.
public struct CloudEventsReader: FieldReader {
  private enum Content {
    case records(any FieldReader)
    case events(JSONLinesDecoder)
  }

  private let input: ImportInput
  private var content: Content?
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
    var keepsIDs = false
    switch content {
    case .none:
      content = try recognize(data, fields)
      return try read(&fields, into: &record)
    case .records(var reader):
      content = nil
      defer { content = .records(reader) }
      let envelope = fields.root
      fields.envelopeTime = fields.find("time")
      fields.root = data
      defer { fields.root = envelope }
      try reader.read(&fields, into: &record)
    case .events(var decoder):
      content = nil
      defer { content = .events(decoder) }
      keepsIDs = fields.find("id", in: data) != nil
      try read(data, by: &decoder, fields, into: &record)
    }
    guard record.ignored == nil else { return }
    fields.use(data)
    try addAttributes(to: &record, &fields, keepsIDs: keepsIDs)
    if !keepsIDs { record.identify(joining: source, id, of: fields) }
  }

  /// Returns a reader of the format that the first event's data is in.
  private func recognize(
    _ data: FieldTree.Field, _ fields: FieldTree
  ) throws(Rejection) -> Content {
    let sample = InputSample(Array(fields.text(data)))
    if case .match = JSONLines.match(sample) { return .events(JSONLinesDecoder()) }
    for type in FormatCatalog.standard.formats {
      guard let type = type as? any FieldFormat.Type, case .match = type.match(sample) else {
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
