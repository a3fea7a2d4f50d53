import Specifications
import TestSupport
import Testing

/// A state with a field of every kind.
private struct Sample: StateFields, EmptyState, Equatable {
  var count = 0
  var size: Int128 = 0
  var optional: Int?
  var missing: Int?
  var fixed = [0, 0]
  var isAny = false
  var isAll = true
  var greatest = -Double.infinity
  var least: Int64 = .max
  var values: [Double] = []
  var kept: [Int64]? = []
  var list: [Int] = []
  var coded: [Int] = []
  var entries: [UInt32: Part] = [:]

  struct Part: StateFields, Equatable {
    var total = 0

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&total, other.total)
    }

    func validate() throws(StateError) {
      guard total < 1_000 else { throw StateError("a total is too large") }
    }
  }

  init() { optional = 0 }

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&count, other.count)
    visit(&size, other.size)
    visit(&optional, other.optional)
    visit(&missing, other.missing)
    visit(&fixed, other.fixed)
    visit(&isAny, other.isAny)
    visit.all(&isAll, other.isAll)
    visit.greatest(&greatest, other.greatest)
    visit.least(&least, other.least)
    visit.values(&values, other.values)
    visit.values(&kept, other.kept)
    visit.list(&list, other.list, 0)
    visit.list(&coded, other.coded, by: .below(4), 0)
    visit.entries(&entries, other.entries, .below(4), Part())
  }

  /// Adds one number, in the way that each kind of field is merged.
  mutating func add(_ number: Int) {
    count += 1
    size += Int128(number) << 60
    optional = (optional ?? 0) + number
    fixed[number % 2] += number
    isAny = isAny || number == 3
    isAll = isAll && number < 7
    greatest = max(greatest, Double(number))
    least = min(least, Int64(number))
    values.append(Double(number))
    kept?.append(-Int64(number))
    while list.count <= number { list.append(0) }
    list[number] += 1
    while coded.count <= number % 4 { coded.append(0) }
    coded[number % 4] += number
    entries[UInt32(number % 4), default: Part()].total += number
  }

  init(_ numbers: [Int]) {
    self.init()
    for number in numbers { add(number) }
  }

  /// The state with values in order, without the lists' ends that have nothing.
  var canonical: Sample {
    var sample = self
    sample.values.sort()
    sample.kept?.sort()
    while sample.list.last == 0 { sample.list.removeLast() }
    while sample.coded.last == 0 { sample.coded.removeLast() }
    return sample
  }

  var bytes: [UInt8] {
    var writer = StateWriter()
    write(to: &writer)
    return writer.bytes
  }
}

@Suite("Fields of a state")
struct StateFieldsTests {
  private func numbers(_ random: inout SeededGenerator) -> [Int] {
    (0..<Int(random.next() % 9)).map { _ in Int(random.next() % 10) }
  }

  @Test("merging parts gives the state of all of them")
  func merging() {
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (first, second) = (numbers(&random), numbers(&random))
      var merged = Sample(first)
      merged.merge(Sample(second))
      #expect(merged == Sample(first + second), "seed \(seed)")
    }
  }

  @Test("subtracting a part leaves the sums and counts of the others")
  func subtracting() {
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (kept, taken) = (numbers(&random), numbers(&random))
      var rest = Sample(taken + kept)
      rest.subtract(Sample(taken))
      var expected = Sample(kept)
      // What is not a sum stays, and so do the keys.
      (expected.greatest, expected.least) = (rest.greatest, rest.least)
      (expected.isAny, expected.isAll) = (rest.isAny, rest.isAll)
      for key in rest.entries.keys where expected.entries[key] == nil {
        expected.entries[key] = Sample.Part()
      }
      #expect(rest.canonical == expected.canonical, "seed \(seed)")
    }
  }

  @Test("equal states have equal bytes, whatever the order, and are read back")
  func storing() throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let numbers = numbers(&random)
      let (sample, shuffled) = (Sample(numbers), Sample(numbers.shuffled(using: &random)))
      #expect(sample.bytes == shuffled.bytes, "seed \(seed)")
      var reader = StateReader(sample.bytes)
      let read = try Sample(from: &reader)
      #expect(read.canonical == sample.canonical && reader.isAtEnd, "seed \(seed)")
      for end in 0..<sample.bytes.count {
        var cut = StateReader(sample.bytes, 0..<end)
        #expect(throws: StateError.self, "seed \(seed), \(end) bytes") { try Sample(from: &cut) }
      }
    }
  }

  @Test("writing changes nothing, not even lists that are shared")
  func writing() {
    let sample = Sample([1, 2, 3, 9])
    let copy = sample
    _ = sample.bytes
    #expect(sample == copy)
  }

  @Test(
    "the first field that is wrong is reported: a key that is unknown or occurs twice, or a check that fails"
  )
  func damage() {
    func message(_ bytes: [UInt8]) -> String? {
      var reader = StateReader(Array(Sample().bytes.dropLast()) + bytes)
      do { _ = try Sample(from: &reader) } catch { return "\(error)" }
      return nil
    }
    #expect(message([1, 3, 5]) == nil)
    #expect(message([1, 4, 5]) == "a number is too large")
    #expect(message([2, 3, 5, 3, 5]) == "a key occurs twice")
    #expect(message([1, 3, 0xE8, 7]) == "a total is too large")
    #expect(message([2, 3, 5]) == "it ends too early")
  }

  @Test("tallies never add up to a sum that overflows")
  func tallies() throws {
    var writer = StateWriter()
    for _ in 0..<2_000 { writer.write(UInt64(1 << 50 - 1)) }
    var reader = StateReader(writer.bytes)
    var sum = 0
    #expect(throws: StateError.self) { while true { sum += try reader.readTally() } }
    #expect(sum < 1 << 60 && sum > 1 << 59)
  }

  @Test("codes are read as those of the target")
  func codes() throws {
    let (names, numbers) = (CodeSpace(3), CodeSpace.numbers)
    var reader = StateReader([0, 2, 1, 1])
    reader.translate = { (space) throws(StateError) in
      CodeTranslation(space == names ? [7, 5, 6] : nil, limit: 2)
    }
    #expect(try reader.readCode(names) == 7)
    #expect(try reader.readCode(names) == 6)
    #expect(try reader.readCode(CodeSpace(4)) == 1)
    #expect(try reader.readCode(numbers) == 1)
    var unknown = StateReader([3])
    unknown.setTranslation(CodeTranslation([7, 5, 6]), of: names)
    #expect(throws: StateError.self) { try unknown.readCode(names) }
  }
}
