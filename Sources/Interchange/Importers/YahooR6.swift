import Events
public import Specifications

/// Yahoo! Front Page Today Module, version 1.0 (Webscope R6A): displayed articles, clicks, and candidate articles with
/// six features each, drawn at random.
///
/// A line is `time article click |user FEATURES |article FEATURES |article FEATURES ...` with features `number:value`.
///
/// | part | becomes |
/// |---|---|
/// | the time, in seconds | the time of both events |
/// | the number of the line | the unit `<experiment>-<line>`, or `<experiment>-<file>-<line>` |
/// | the displayed article | the variant |
/// | the candidate articles | the choices; the propensity is 1 divided by their number |
/// | a click | a goal `click` of value 1, directly after its decision |
/// | the features of the user | `user.NUMBER` in the context |
/// | the features of an article | its features, under their numbers |
///
/// The experiment is the name of the file without extension, unless one is given. A line is sound if its number of
/// fields is 10 and a multiple of 7; others occur, and are rejected, as are lines whose displayed article is not a
/// candidate. The first two days of the data contain anomalies and are usually left out.
public struct YahooR6A: ImportFormat {
  public static let info = SpecificationInfo(
    "yahoo-r6a", "Yahoo! Front Page Today Module 1.0: articles shown at random, with features",
    source: "https://webscope.sandbox.yahoo.com/catalog.php?datatype=r&did=49")

  public static let recognition = "time, article, click, |user, and articles with features"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    YahooLine.match(sample, hasVectors: true)
  }

  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    LineSource(input.bytes, try YahooReader(input, hasVectors: true))
  }
}

/// Yahoo! Front Page Today Module, version 2.0 (Webscope R6B): displayed articles, clicks, and candidate articles
/// without features, drawn at random.
///
/// A line is `time article click |user NUMBERS |article |article ...` with the numbers of the user's binary features,
/// and articles such as `id-560620`. It becomes the same events as one of ``YahooR6A``: a feature N of the user is
/// `user.N` with the value 1. Lines whose displayed article is not a candidate are rejected.
public struct YahooR6B: ImportFormat {
  public static let info = SpecificationInfo(
    "yahoo-r6b", "Yahoo! Front Page Today Module 2.0: articles shown at random, without features",
    source: "https://webscope.sandbox.yahoo.com/catalog.php?datatype=r&did=54")

  public static let recognition = "time, article, click, |user, and articles without features"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    YahooLine.match(sample, hasVectors: false)
  }

  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    LineSource(input.bytes, try YahooReader(input, hasVectors: false))
  }
}

/// The beginning of a line of either version.
private enum YahooLine {
  static func match(_ sample: InputSample, hasVectors: Bool) -> FormatMatch {
    let fields = sample.line.prefix(1 << 14).split(separator: UInt8(ascii: " "))
    let isDigit = { (byte: UInt8) in byte &- UInt8(ascii: "0") < 10 }
    guard fields.count > 4, fields[3].elementsEqual("|user".utf8), fields[0].count >= 9,
      fields[0].allSatisfy(isDigit),
      fields[2].elementsEqual("0".utf8) || fields[2].elementsEqual("1".utf8),
      let article = fields[4...].firstIndex(where: { $0.first == UInt8(ascii: "|") })
    else { return .unrelated }
    let after = article + 1 < fields.count ? fields[article + 1] : []
    guard after.contains(UInt8(ascii: ":")) == hasVectors else {
      return .mismatch(hasVectors ? "articles have no features" : "articles have features")
    }
    return .match("|user and articles \(hasVectors ? "with" : "without") features")
  }
}
