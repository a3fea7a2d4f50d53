internal import Arrow

/// The batches of an Arrow stream, or of an Arrow file, which has a stream in it.
struct ArrowInput {
  /// The beginning of an Arrow file (Feather version 2), before its stream.
  private static let fileMagic = Array("ARROW1\0\0".utf8)
  private static let streamMagic: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

  /// The bytes of the input.
  private(set) var source: ByteSource
  private var decoder = ArrowStreamDecoder()
  private let isFile: Bool
  private var isAtEnd = false
  /// The columns.
  private(set) var schema = ArrowSchema([])

  /// Whether an input begins as a stream does, or as a file with a stream in it, without consuming it.
  static func isArrow(_ source: inout ByteSource) throws(ImportError) -> Bool {
    while source.window.count < fileMagic.count + streamMagic.count, try source.extend() {}
    let start = source.bytes[source.window]
    return start.starts(with: streamMagic) || start.starts(with: fileMagic + streamMagic)
  }

  /// Reads the schema of an input of which nothing has been consumed.
  ///
  /// - Throws: ``ImportError`` if there is none.
  init(_ source: ByteSource) throws(ImportError) {
    self.source = source
    isFile = source.bytes[source.window].starts(with: Self.fileMagic)
    if isFile { self.source.consume(Self.fileMagic.count) }
    guard case .schema(let schema)? = try step() else {
      throw ImportError(.badData, "\(source.name): the Arrow stream does not begin with a schema")
    }
    self.schema = schema
  }

  /// Returns the schema of an input without consuming any of it; nil if it is no Arrow stream.
  static func schema(_ source: inout ByteSource) throws(ImportError) -> ArrowSchema? {
    guard try isArrow(&source) else { return nil }
    let name = source.name
    guard let metadata = try peekMetadata(&source, start(of: source)) else { return ArrowSchema([]) }
    return try checked(name) { () throws(ArrowError) in
      var decoder = ArrowStreamDecoder()
      let step = try decoder.decode(try ArrowMessage(metadata: metadata), body: [])
      guard case .schema(let schema) = step else { return ArrowSchema([]) }
      return schema
    }
  }

  /// Whether the first batch or dictionary of a stream is compressed, without consuming any of it.
  static func isCompressed(_ source: inout ByteSource) throws(ImportError) -> Bool {
    guard try isArrow(&source) else { return false }
    var offset = start(of: source)
    for _ in 0..<2 {
      guard let metadata = try? peekMetadata(&source, offset) else { return false }
      do throws(ArrowError) {
        // A schema has no body; what claims one is not read into memory for this.
        guard try ArrowMessage(metadata: metadata).bodyCount == 0 else { return false }
        offset += ArrowPrefix.count + metadata.count
      } catch {
        return error.code == .compressed
      }
    }
    return false
  }

  /// The offset of the stream in an input that begins with one, or with a file that has one in it.
  private static func start(of source: ByteSource) -> Int {
    source.bytes[source.window].starts(with: fileMagic) ? fileMagic.count : 0
  }

  /// Returns the metadata of the message at an offset, without consuming any of it; nil at the end of the stream.
  private static func peekMetadata(_ source: inout ByteSource, _ offset: Int) throws(ImportError) -> ArraySlice<UInt8>?
  {
    let name = source.name
    let beginning = try peek(&source, offset, ArrowPrefix.count)
    let prefix = try checked(name) { () throws(ArrowError) in try ArrowPrefix(beginning) }
    guard case .metadata(let count) = prefix else { return nil }
    return try peek(&source, offset + ArrowPrefix.count, count)
  }

  /// Returns bytes from an offset on, fewer at the end of the input, without consuming them.
  private static func peek(
    _ source: inout ByteSource, _ offset: Int, _ count: Int
  ) throws(ImportError) -> ArraySlice<UInt8> {
    while source.window.count < offset + count, try source.extend() {}
    return source.bytes[source.window].dropFirst(offset).prefix(count)
  }

  private static func checked<Result>(
    _ name: String, _ body: () throws(ArrowError) -> Result
  ) throws(ImportError) -> Result {
    do throws(ArrowError) {
      return try body()
    } catch {
      throw ImportError(.badData, "\(name): \(error.description)")
    }
  }

  /// Reads the next batch; nil at the end.
  ///
  /// - Throws: ``ImportError``; every batch before was returned.
  mutating func next() throws(ImportError) -> ArrowBatch? {
    while let step = try step() {
      if case .batch(let batch) = step { return batch }
    }
    return nil
  }

  /// Reads the next message; nil at the end.
  private mutating func step() throws(ImportError) -> ArrowStreamDecoder.Step? {
    guard !isAtEnd else { return nil }
    let name = source.name
    let beginning = try take(ArrowPrefix.count)
    guard !beginning.isEmpty else {
      guard !isFile else {
        throw ImportError(.badData, "\(name): the Arrow file is cut off: it has no end; what came before was read")
      }
      isAtEnd = true
      return nil
    }
    let number = decoder.nextMessage
    let prefix = try Self.checked(name) { () throws(ArrowError) in
      do throws(ArrowError) {
        return try ArrowPrefix(beginning[...])
      } catch {
        throw ArrowError(error.code, "message \(number): \(error.description)")
      }
    }
    guard case .metadata(let count) = prefix else {
      try finish()
      return nil
    }
    let metadata = try take(count)
    let message = try Self.checked(name) { () throws(ArrowError) in
      do throws(ArrowError) {
        return try ArrowMessage(metadata: metadata[...])
      } catch {
        throw ArrowError(error.code, "message \(number): \(error.description)")
      }
    }
    let body = try take(message.bodyCount)
    return try Self.checked(name) { () throws(ArrowError) in
      try decoder.decode(message, body: body)
    }
  }

  /// Notes the end of the stream, behind which a file has its footer and a stream nothing.
  private mutating func finish() throws(ImportError) {
    isAtEnd = true
    guard !isFile else { return }
    if source.window.isEmpty, try !source.extend() { return }
    guard source.window.isEmpty else {
      throw ImportError(
        .badData,
        "\(source.name): there are bytes behind the end of the Arrow stream (byte \(source.offset)); "
          + "if it is another stream, give it as an input of its own")
    }
  }

  /// Takes bytes, fewer at the end of the input. Memory grows with the bytes that there are, whatever was claimed.
  private mutating func take(_ count: Int) throws(ImportError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, source.window.count))
    while bytes.count < count {
      if source.window.isEmpty, try !source.extend() { break }
      let part = source.window.prefix(count - bytes.count)
      bytes.append(contentsOf: source.bytes[part])
      source.consume(part.count)
    }
    return bytes
  }
}
