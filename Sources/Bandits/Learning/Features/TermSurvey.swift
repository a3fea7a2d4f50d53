internal import Specifications

/// How often each value, or combination of values, of a one-hot term or a cross occurred.
struct TermSurvey: Sendable {
  /// The positions of the factors that are values among the sources.
  let places: [Int]
  /// The positions of the factors that are numbers, all of which must be present.
  let numbers: [Int]
  /// The codes of the first two values, of those and the third, and so on.
  private var pairs: [PairCodes]
  /// By the code of the combination; the first is unused.
  private var counts: [Int] = [0]
  /// Whether there are more than ``FeatureSurvey/mostValues`` combinations.
  private(set) var isTooLarge = false

  init(_ term: FeatureTerm, _ sources: [FeatureSource]) {
    places = term.categories.compactMap { sources.firstIndex(of: $0) }
    numbers = term.numbers.compactMap { sources.firstIndex(of: $0.source) }
    pairs = Array(repeating: PairCodes(), count: max(0, places.count - 1))
  }

  /// Counts a row, unless a value is absent.
  @inline(__always)
  mutating func add(_ row: [FeatureCell]) {
    for place in numbers where row[place].number.isNaN { return }
    var code: Int32 = 1
    for level in places.indices {
      let next = row[places[level]].code
      guard next > 0 else { return }
      guard level > 0 else {
        code = next
        continue
      }
      guard let pair = pairs[level - 1].code(code, next) else { return isTooLarge = true }
      code = pair
    }
    add(code, 1)
  }

  private mutating func add(_ code: Int32, _ times: Int) {
    let place = Int(code)
    guard place <= FeatureSurvey.mostValues else {
      isTooLarge = true
      return
    }
    while counts.count <= place { counts.append(0) }
    counts[place] += times
  }

  /// Adds the counts of a survey with other codes; `codes` has the code here for each code there, by source.
  mutating func merge(_ other: TermSurvey, _ codes: [[Int32]]) {
    isTooLarge = isTooLarge || other.isTooLarge
    for code in other.counts.indices where other.counts[code] > 0 {
      let values = zip(other.codes(Int32(code)), places).map { codes[$1][Int($0)] }
      guard let joint = joint(values) else {
        isTooLarge = true
        continue
      }
      add(joint, other.counts[code])
    }
  }

  /// Returns the code of a combination; nil if there are too many.
  private mutating func joint(_ values: [Int32]) -> Int32? {
    guard var joint = values.first else { return 1 }
    for level in 1..<max(1, values.count) {
      guard let pair = pairs[level - 1].code(joint, values[level]) else { return nil }
      joint = pair
    }
    return joint
  }

  /// Returns the codes of the values of a combination.
  private func codes(_ joint: Int32) -> [Int32] {
    var codes: [Int32] = []
    var code = joint
    for level in pairs.indices.reversed() {
      let pair = pairs[level].pairs[Int(code) - 1]
      codes.append(pair.second)
      code = pair.first
    }
    if !places.isEmpty { codes.append(code) }
    return codes.reversed()
  }

  /// Writes the counts of all combinations; `codes` has the written code of each value, by source.
  func write(to writer: inout StateWriter, _ codes: [[Int32]]) {
    writer.write(byte: isTooLarge ? 1 : 0)
    var found: [(values: [Int32], count: Int)] = []
    for code in counts.indices where counts[code] > 0 {
      let values = zip(self.codes(Int32(code)), places).map { codes[$1][Int($0)] }
      found.append((values, counts[code]))
    }
    found.sort { $0.values.lexicographicallyPrecedes($1.values) }
    writer.write(UInt64(found.count))
    for (values, count) in found {
      for value in values { writer.write(UInt64(value)) }
      writer.write(tally: count)
    }
  }

  /// Reads counts of a number of rows in place of these, which are zero; `values` has the values of each source.
  mutating func read(
    from reader: inout StateReader, _ values: [ValueCodes], rows: Int
  ) throws(StateError) {
    isTooLarge = try reader.readByte() == 1
    var rest = rows
    for _ in 0..<(try reader.readCount(below: FeatureSurvey.mostValues + 1)) {
      var codes: [Int32] = []
      for place in places {
        let code = try reader.readCount(below: values[place].count + 1)
        guard code > 0 else { throw StateError("a value has no code") }
        codes.append(Int32(code))
      }
      let count = try reader.readCount(below: rest + 1)
      rest -= count
      guard let joint = joint(codes) else { throw StateError("there are too many values") }
      guard Int(joint) >= counts.count || counts[Int(joint)] == 0 else {
        throw StateError("a combination of values occurs twice")
      }
      add(joint, count)
    }
  }

  /// Sets the most frequent combinations in bytewise order, and how many others there are.
  func fit(_ fit: inout TermFit, _ limit: Int, _ values: [ValueCodes]) {
    var found: [(texts: [String], count: Int)] = []
    for code in counts.indices where counts[code] > 0 {
      let codes = codes(Int32(code))
      found.append((zip(codes, places).map { values[$1].text($0) }, counts[code]))
    }
    found.sort { $0.count != $1.count ? $0.count > $1.count : Self.precedes($0.texts, $1.texts) }
    fit.values = found.prefix(limit).map(\.texts).sorted(by: Self.precedes)
    fit.otherValues = max(0, found.count - limit)
    fit.otherRows = found.dropFirst(limit).reduce(0) { $0 + $1.count }
  }

  /// Compares texts by their UTF-8 bytes, one after the other.
  static func precedes(_ a: [String], _ b: [String]) -> Bool {
    for (left, right) in zip(a, b) where !left.isSameName(as: right) {
      return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
    return a.count < b.count
  }
}
