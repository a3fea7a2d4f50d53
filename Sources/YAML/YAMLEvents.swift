internal import CYAML

/// The events of a YAML file, as libyaml parses it.
@safe final class YAMLEvents {
  enum Event {
    case begin
    case end
    case scalar(String, isPlain: Bool)
    case sequence
    case mapping
    case alias
  }

  /// What the next event is.
  private(set) var event = Event.begin
  /// Where it begins.
  private(set) var mark = YAMLNode.Mark(line: 1, column: 1)
  /// The name after `&` or `*`; nil for none.
  private(set) var anchor: String?

  private let path: String
  // Safety: both are allocated here, and freed only by `deinit`. The parser, which has pointers to itself and to the
  // text, stays where it is.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let text: UnsafeMutableBufferPointer<UInt8>

  /// Begins to parse a text.
  init(_ text: String, path: String) throws(YAMLError) {
    self.path = path
    // Safety: the buffer has room for all of the text, and stays while the parser does.
    unsafe self.text = .allocate(capacity: text.utf8.count)
    _ = unsafe self.text.initialize(from: text.utf8)
    guard unsafe yaml_parser_initialize(parser) != 0 else {
      throw YAMLError(path, mark, "there is no memory to read it")
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
  }

  deinit {
    // Safety: nobody refers to them any more.
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  /// Reads the next event.
  func next() throws(YAMLError) {
    // Safety: the parser fills the event, whose texts end with a zero and live until it is deleted.
    var next = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &next) != 0 else { throw failure }
    defer { unsafe yaml_event_delete(&next) }
    mark = unsafe Self.mark(next.start_mark)
    anchor = nil
    switch unsafe next.type {
    case YAML_SCALAR_EVENT:
      let scalar = unsafe next.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      event = unsafe .scalar(
        String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
      anchor = unsafe Self.text(scalar.anchor)
    case YAML_SEQUENCE_START_EVENT:
      event = .sequence
      anchor = unsafe Self.text(next.data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT:
      event = .mapping
      anchor = unsafe Self.text(next.data.mapping_start.anchor)
    case YAML_ALIAS_EVENT:
      event = .alias
      anchor = unsafe Self.text(next.data.alias.anchor)
    case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT: event = .begin
    default: event = .end
    }
  }

  /// The error of the parser.
  private var failure: YAMLError {
    // Safety: the problem is a constant of libyaml, and its offset lies in the text.
    let reason = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "there is no memory to read it"
    guard unsafe parser.pointee.error == YAML_READER_ERROR else {
      return unsafe YAMLError(path, Self.mark(parser.pointee.problem_mark), "not YAML: \(reason)")
    }
    let before = unsafe text.prefix(parser.pointee.problem_offset)
    let line = unsafe before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = unsafe before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
    return YAMLError(path, YAMLNode.Mark(line: line, column: column), "not YAML: \(reason)")
  }

  private static func mark(_ mark: yaml_mark_t) -> YAMLNode.Mark {
    YAMLNode.Mark(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  private static func text(_ bytes: UnsafeMutablePointer<UInt8>?) -> String? {
    // Safety: the parser ends each name with a zero.
    unsafe bytes.map { unsafe String(cString: $0) }
  }
}
