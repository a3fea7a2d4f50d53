import Specifications
import Testing

/// The example of the catalogue of `Specifications`.
@Suite("Example of Specifications")
struct SpecificationsExample {
  @Test("the example runs")
  func example() throws {
    let specification = try Specification(parsing: "epsilon-greedy:epsilon=0.2")
    let epsilon = try specification.number("epsilon", default: 0.1, in: 0...1)
    print(specification.name, epsilon)

    var writer = StateWriter()
    writer.write(signed: -3)
    var reader = StateReader(writer.bytes)
    print(try reader.readSigned())
    #expect(epsilon == 0.2 && reader.isAtEnd)
  }
}
