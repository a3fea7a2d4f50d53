import Events
public import Specifications

/// The Criteo data set for counterfactual learning (D. Lefortier, A. Swaminathan, X. Gu, T. Joachims, M. de Rijke,
/// "Large-scale Validation of Counterfactual Learning Methods: A Test-Bed", 2016): banners, the products shown in their
/// slots, and clicks. The description is that of https://www.cs.cornell.edu/~adith/Criteo/.
///
/// An impression is a line `example ID: HASH CLICKED PROPENSITY SLOTS CANDIDATES FEATURES`, followed by a line
/// `CLICKED exid:ID FEATURES` for each candidate product, with features `number:value`. The first candidates are those
/// that were shown, in the order of the slots. A blank line ends an impression.
///
/// | part | becomes |
/// |---|---|
/// | the id | the unit `<experiment>-<id>` |
/// | each slot | a decision with the slots `1`, `2`, ..., whose variant is the candidate of the same number |
/// | the candidates | the choices `1`, `2`, ... in the order of their lines |
/// | the propensity | that of the decision if there is one slot, else `propensity` in the context: the whole banner's |
/// | a click on the product of a slot | a goal `click` of value 1 for the slot, after the decisions |
/// | a click on a banner of one slot, or on none of its products | the same; a goal without slot if there are several |
/// | the hash, and the features of the banner | `hash`, `display.NUMBER` in the context |
/// | a feature `11:27` of a candidate | its feature `11:27`, whose value is the number of times that it is there |
///
/// The data has no times: the n-th impression of a file is n seconds after 1970-01-01T00:00:00Z. The experiment is the
/// name of the file without extension, unless one is given. Of impressions without a click, the data contains one in
/// ten; the propensities do not account for that.
public struct Criteo: ImportFormat {
  public static let info = SpecificationInfo(
    "criteo", "Criteo counterfactual data: banners with the propensity of the products shown",
    source: "https://www.cs.cornell.edu/~adith/Criteo/")

  public static let recognition = "a line that begins with example, an id and a colon"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    let fields = sample.line.prefix(1 << 10).split(separator: UInt8(ascii: " "), maxSplits: 7)
    guard fields.count >= 7, fields[0].elementsEqual("example".utf8),
      fields[1].last == UInt8(ascii: ":")
    else { return .unrelated }
    return .match("a line that begins with \"example\" and an id")
  }

  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    BlockSource(input.bytes, CriteoCutter(), CriteoReader(experiment: try input.experimentName()))
  }
}

/// Tells which lines of a Criteo file are one impression.
struct CriteoCutter: BlockCutter {
  /// Whether the current line is the first of the next impression.
  private var isPending = false
  private var hasEnded = false

  mutating func next(
    _ lines: inout LineReader, _ blankLines: inout Int64, into block: inout LineBlock
  ) throws(ImportError) -> Bool {
    guard try nextLine(&lines, &blankLines) else { return false }
    isPending = false
    block.append(lines)
    // Behind a first line that is invalid, the lines of candidates belong to it.
    let header = try? CriteoHeader(Array(block.bytes[block.lines[0]]))
    let most = header?.candidateCount ?? CriteoHeader.mostCandidates
    let blankBefore = blankLines
    while block.lines.count <= most, try nextLine(&lines, &blankLines) {
      let line = lines.source.bytes[lines.range]
      isPending = blankLines > blankBefore || (header == nil ? !Self.isCandidate(line) : CriteoReader.isHeader(line))
      if isPending { break }
      block.append(lines)
    }
    return true
  }

  private static func isCandidate(_ line: ArraySlice<UInt8>) -> Bool {
    let space = line.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
    return line[space...].starts(with: " exid:".utf8)
  }

  /// Reads the next line that is not empty, unless the current one is still to be read; returns whether there is one.
  private mutating func nextLine(_ lines: inout LineReader, _ blankLines: inout Int64) throws(ImportError) -> Bool {
    if isPending { return true }
    guard !hasEnded else { return false }
    while try lines.next() {
      if !lines.range.isEmpty { return true }
      blankLines += 1
    }
    hasEnded = true
    return false
  }
}
