/// How the records of an input with named fields are laid out.
enum FieldLayout {
  /// A JSON object on each line.
  case lines
  /// JSON objects in a list, or over several lines.
  case texts
  /// CSV with a header, and this byte between two fields.
  case table(separator: UInt8)

  /// Tells the layout from the first line, without consuming it.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - anyLine: Whether lines that are not JSON may come first.
  ///   - listNames: The names under which objects may have a list of records.
  /// - Throws: ``ImportError`` if the input fails.
  init(
    _ source: inout ByteSource, anyLine: Bool = false, listNames: [String] = []
  ) throws(ImportError) {
    let line = try FirstLine.read(&source)
    switch line.first {
    case UInt8(ascii: "{") where RecordList(line, line.indices, listNames).isList: self = .texts
    case UInt8(ascii: "[") where !anyLine: self = .texts
    case UInt8(ascii: "{"):
      var scan = JSONTextScan()
      self = scan.run(line, line.indices) == nil && !anyLine ? .texts : .lines
    case nil: self = .lines
    default: self = anyLine ? .lines : .table(separator: Self.separator(of: line))
    }
  }

  /// Returns the separator of a header: the comma, unless there is none and a tab, a semicolon or a vertical bar.
  static func separator(of line: [UInt8]) -> UInt8 {
    let candidates: [UInt8] = [0x2C, 0x09, 0x3B, 0x7C]
    return candidates.first { line.contains($0) } ?? 0x2C
  }
}

/// Reads the first line of an input, without consuming it.
enum FirstLine {
  /// The maximum number of bytes read to find it.
  static let longest = 1 << 20

  /// Returns the first line that is not blank, or its start, without white space before it; empty if there is none.
  ///
  /// - Complexity: O(length), whatever portions the input comes in.
  static func read(_ source: inout ByteSource) throws(ImportError) -> [UInt8] {
    // Offsets in the window, whose place in the buffer may change.
    var (start, searched) = (0, 0)
    while true {
      let window = source.window
      while start < window.count, isSpace(source.bytes[window.lowerBound + start]) { start += 1 }
      let end = source.newline(from: max(start, searched))
      searched = window.count
      if end == nil, searched < longest, try source.extend() { continue }
      let line = source.bytes[window.dropFirst(start).prefix((end ?? window.count) - start)]
      return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }
}

extension FirstLine {
  /// Returns the beginning of an input as far as the end of its first JSON object, which may be in a list, or the
  /// first line again if it has none.
  ///
  /// - Complexity: O(length), whatever portions the input comes in.
  static func extended(
    _ line: [UInt8], _ source: inout ByteSource
  ) throws(ImportError) -> [UInt8] {
    guard line.first == UInt8(ascii: "{") || line.first == UInt8(ascii: "[") else { return line }
    var scan = JSONTextScan()
    var (start, searched) = (nil as Int?, 0)
    while true {
      let window = source.window
      if start == nil {
        start = ByteSearch.first(
          UInt8(ascii: "{"), in: source.bytes, window.dropFirst(searched)
        ).map { $0 - window.lowerBound }
        searched = window.count
      }
      let hasEnded = start.map { scan.run(source.bytes, window.dropFirst($0)) != nil } ?? false
      if hasEnded || window.count >= longest { break }
      guard try source.extend() else { break }
    }
    return Array(source.bytes[source.window])
  }

  /// Returns whether a text, as ``extended(_:_:)`` returns it, is a JSON list without an element.
  static func isEmptyList(_ text: [UInt8]) -> Bool {
    text.lazy.filter { !isSpace($0) }.prefix(3).elementsEqual("[]".utf8)
  }
}

/// The beginning of an object whose first member is a list of records: `{"data":[`.
struct RecordList {
  /// The number of bytes up to the bracket of the list, which is one of them; nil if the object begins otherwise, or
  /// if the bytes end before that is known.
  private(set) var length: Int?
  /// Whether more bytes are needed to tell.
  private(set) var isOpen = false

  /// Whether the object begins with such a list.
  var isList: Bool { length != nil }

  /// Examines the bytes of a range, which begins with the object.
  init(_ bytes: [UInt8], _ window: Range<Int>, _ names: [String]) {
    guard !names.isEmpty, bytes[window].first == UInt8(ascii: "{") else { return }
    let isSpace = { (byte: UInt8) in byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
    var position = window.lowerBound + 1
    func skip() {
      while position < window.upperBound, isSpace(bytes[position]) { position += 1 }
    }
    skip()
    let rest = bytes[position..<window.upperBound]
    guard
      let name = names.first(where: { name in
        zip(rest, "\"\(name)\"".utf8).allSatisfy { $0 == $1 }
      })
    else { return }
    position = min(position + name.utf8.count + 2, window.upperBound)
    for byte in [UInt8(ascii: ":"), UInt8(ascii: "[")] {
      skip()
      guard position < window.upperBound else {
        isOpen = true
        return
      }
      guard bytes[position] == byte else { return }
      position += 1
    }
    length = position - window.lowerBound
  }
}

/// Finds the end of a JSON value by its brackets and quotes, in as many portions as the input comes in.
struct JSONTextScan {
  /// The number of bytes scanned.
  private(set) var position = 0
  /// The number of newlines scanned.
  private(set) var newlines = 0
  private var depth = 0
  private var isInText = false
  private var isEscaped = false

  /// Creates a scan of a value, or of the rest of one of which so many brackets are open.
  init(depth: Int = 0) { self.depth = depth }

  /// Scans what is new in the window, which begins with the value.
  ///
  /// - Returns: The length of the value; nil if it has not ended. A value that is neither a list nor an object ends
  ///   before a comma, a bracket or white space.
  mutating func run(_ bytes: [UInt8], _ window: Range<Int>) -> Int? {
    while position < window.count {
      if isInText, !isEscaped {
        position = ByteSearch.endOfPlainText(in: bytes, window.dropFirst(position)) - window.lowerBound
        guard position < window.count else { return nil }
      }
      let byte = bytes[window.lowerBound + position]
      if byte == UInt8(ascii: "\n") { newlines += 1 }
      if isInText {
        if isEscaped || byte == UInt8(ascii: "\\") {
          isEscaped.toggle()
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        position += 1
        if !isInText, depth == 0 { return position }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth <= 1 { return depth == 0 ? max(position, 1) : position + 1 }
        depth -= 1
      case UInt8(ascii: ","), 0x09, 0x0A, 0x0D, 0x20:
        if depth == 0 { return max(position, 1) }
      default: break
      }
      position += 1
    }
    return nil
  }
}
