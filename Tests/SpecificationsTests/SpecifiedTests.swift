import Testing

@testable import Specifications

/// A type with a parameter of each kind.
private struct Example: Specified {
  enum Mode: String, CaseIterable, Sendable { case fast, slow }

  struct Prior: ParameterGroup {
    var alpha = 1.0

    init() {}

    static var parameters: [Field] {
      Field.number("alpha", \.alpha, in: 0...9, "prior, {range}")
    }
  }

  var rate = 0.1
  var limit: Double?
  var count = 3
  var horizon: Int?
  var isOpen = false
  var mode = Mode.fast
  var means: [Double] = []
  var weights = [1.0]
  var phases: [Double]?
  var path: String?
  var prior: Prior = {
    var prior = Prior()
    prior.alpha = 2
    return prior
  }()
  var specification = Self.info.specification()

  static let info = SpecificationInfo(
    "example", "all kinds", source: "this test", example: "example:means=1")

  static var parameters: [Field] {
    Field.number("rate", \.rate, in: 0...1, "rate, {range}")
    Field.number("limit", \.limit, in: 0...1, "limit")
    Field.integer("count", \.count, in: 1...9, "count, {range}")
    Field.integer("horizon", \.horizon, in: 1...9, "horizon")
    Field.flag("open", \.isOpen, "open")
    Field.word("mode", \.mode, "fast or slow")
    Field.numbers("means", \.means, in: 0...1, "means")
    Field.numbers("weights", \.weights, in: 0...1, "weights")
    Field.numbers("phases", \.phases, in: 0...1, "phases")
    Field.text("path", \.path, "path")
    Field.group(\.prior)
  }

  mutating func validate() throws(SpecificationError) {
    if count == 9, mode == .slow { throw SpecificationError("too slow: \(specification)") }
  }
}

@Suite("Parameters that are declared once")
struct SpecifiedTests {
  @Test("a specification sets the properties, and is kept as it was given")
  func parsed() throws {
    let text =
      "example:weights=0.5;1,means=0.5,rate=0.10,count=4,open=yes,mode=slow,limit=1,horizon=2,"
      + "phases=0,path=a.csv,alpha=3"
    let made = try Example(Specification(parsing: text))
    #expect(made.specification.description == text)
    #expect(made.rate == 0.1 && made.count == 4 && made.isOpen && made.mode == .slow)
    #expect(made.limit == 1 && made.horizon == 2 && made.path == "a.csv")
    #expect(made.means == [0.5] && made.weights == [0.5, 1] && made.phases == [0])
    #expect(made.prior.alpha == 3)
  }

  @Test("a property that is not given has its initial value, also within a group")
  func defaults() throws {
    let made = try Example(Specification(parsing: "example:means=1"))
    #expect(made.rate == 0.1 && made.limit == nil && made.weights == [1] && made.phases == nil)
    #expect(made.prior.alpha == 2)
    let listed = Example.listing.parameters
    #expect(listed.map(\.key) == Example.parameters.map(\.listing.key) && listed.count == 11)
    #expect(
      listed.map { $0.standard ?? "-" }
        == ["0.1", "-", "3", "-", "no", "fast", "-", "1", "-", "-", "2"])
    #expect(listed[0].meaning == "rate, 0 to 1" && listed[0].range == 0...1)
    #expect(Example.listing.example == "example:means=1")
  }

  @Test("a value made in Swift has the parameters that differ from the defaults")
  func written() throws {
    let made = try Example {
      ($0.means, $0.rate, $0.limit, $0.isOpen) = ([0.5, 1], 0.1, 0.25, true)
      ($0.mode, $0.horizon, $0.prior.alpha) = (.slow, 7, 3)
    }
    #expect(
      made.specification.description
        == "example:limit=0.25,horizon=7,open=yes,mode=slow,means=0.5;1,alpha=3")
    let again = try Example(made.specification)
    #expect(again.limit == 0.25 && again.means == [0.5, 1] && again.prior.alpha == 3)
  }

  @Test(
    "errors are the same from a specification and in Swift",
    arguments: [
      ("example:means=1,rate=2", "rate=2 of example must be a number from 0.0 to 1.0"),
      ("example:means=1,count=0", "count=0 of example must be a whole number from 1 to 9"),
      ("example", "example needs means; write example:means=NUMBER;NUMBER"),
      ("example:means=1,alpha=-1", "alpha=-1 of example must be a number from 0.0 to 9.0"),
      (
        "example:count=9,mode=slow,means=1",
        "too slow: example:count=9,mode=slow,means=1"
      ),
    ])
  func refused(text: String, message: String) {
    #expect(throws: SpecificationError(message)) { try Example(Specification(parsing: text)) }
    #expect(throws: SpecificationError(message)) {
      try Example {
        $0.means = text.contains("means") ? [1] : []
        if text.contains("rate") { $0.rate = 2 }
        if text.contains("count=0") { $0.count = 0 }
        if text.contains("alpha") { $0.prior.alpha = -1 }
        if text.contains("slow") { ($0.count, $0.mode) = (9, .slow) }
      }
    }
  }

  @Test("an unknown parameter, or word, is refused with the known ones")
  func unknown() {
    #expect(
      throws: SpecificationError("example has no parameter \"raet\"; did you mean \"rate\"?")
    ) { try Example(Specification(parsing: "example:raet=1")) }
    #expect(throws: SpecificationError("mode=warp of example must be one of fast, slow")) {
      try Example(Specification(parsing: "example:mode=warp"))
    }
  }

  @Test("a catalog finds, lists, replaces and compares its entries")
  func catalog() throws {
    let catalog = Catalog(of: "thing", [SpecifiedEntry(Example.self) { $0 }])
    #expect(catalog.all.map(\.name) == ["example"])
    #expect(try catalog.named("example:means=1,count=5").count == 5)
    #expect(throws: SpecificationError("unknown thing \"exampel\"; did you mean \"example\"?")) {
      try catalog.named("exampel")
    }
    let twice = catalog.adding(SpecifiedEntry(Example.self) { $0 })
    #expect(twice == catalog && twice.entries.count == 1)
    #expect(catalog.filter { _ in false } != catalog)
  }
}
