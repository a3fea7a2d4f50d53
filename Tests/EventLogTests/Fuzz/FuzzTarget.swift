import EventLog

/// What is fed with arbitrary bytes: by libFuzzer (`make fuzz`), and by the tests with the corpora that
/// are kept.
///
/// A target takes any bytes. It answers with an error of its own sort, or with values that hold what is
/// checked here; a trap, a hang or memory beyond bounds ends the process, which libFuzzer notices.
enum FuzzTarget: String, CaseIterable {
  /// A header of a segment, with its checksum made right.
  case segment
  /// A segment, with every checksum made right: all frames, all columns, both ways of reading.
  case frame
  /// A stream of whole numbers.
  case integers
  /// A stream of floating-point numbers.
  case numbers
  /// A stream of texts, and a vocabulary made of it.
  case texts
  /// A bitmap.
  case bitmap
  /// Shapes and literals of attributes.
  case attributes
  /// DEFLATE, with the announced length before it.
  case deflate
  /// Lines of JSON Lines.
  case jsonlines

  /// What a target finds wrong beside traps.
  struct Failure: Error {
    var description: String
  }

  /// Feeds the target.
  func run(_ bytes: [UInt8]) throws {
    switch self {
    case .segment: try Self.segment(bytes)
    case .frame: try Self.frame(bytes)
    case .integers: try Self.integers(bytes)
    case .numbers: try Self.numbers(bytes)
    case .texts: try Self.texts(bytes)
    case .bitmap: try Self.bitmap(bytes)
    case .attributes: try Self.attributes(bytes)
    case .deflate: try Self.deflate(bytes)
    case .jsonlines: try Self.jsonLines(bytes)
    }
  }

  static func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
    guard condition else { throw Failure(description: description()) }
  }
}
