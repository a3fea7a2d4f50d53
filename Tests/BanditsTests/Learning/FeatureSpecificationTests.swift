import Specifications
import Testing

@testable import Bandits

@Suite("Feature specifications")
struct FeatureSpecificationTests {
  @Test(
    "a list of terms is written as it is read",
    arguments: [
      "", "number(age)", "standardized(features.price)", "one-hot(country)", "one-hot(country,50)",
      "cross(country,variant)", "cross(number(age),variant,30)", "hash(url,256)",
      "hash(url,variant,16)", "one-hot(slot)+one-hot(variant)+number(context.variant)",
      "one-hot(context.256)+cross(context.slot,context.7)",
    ])
  func written(text: String) throws {
    #expect(try FeatureSpecification(parsing: text).description == text)
  }

  @Test("a specification nests in that of a model without parentheses")
  func nested() throws {
    let text = "softmax-linear:lambda=1,features=cross(country,variant)+number(age),passes=3"
    let features = FeatureSpecification.parameter(default: .standard)
    let specification = try Specification(parsing: text)
    let value = try features.value(in: specification)
    #expect(value.description == "cross(country,variant)+number(age)")
    #expect(features.written(value)?.value == value.description)
    #expect(
      try features.value(in: Specification("x")).description == "one-hot(slot)+one-hot(variant)")
    #expect(specification["passes"] == "3")
  }

  @Test("the attributes are listed once, in order")
  func sources() throws {
    let features = try FeatureSpecification(
      parsing: "number(age)+cross(country,number(age),variant)+one-hot(slot)+number(features.age)")
    #expect(
      features.sources.map(\.description) == [
        "age", "country", "variant", "slot", "features.age",
      ])
    #expect(!features.isShared)
    #expect(try FeatureSpecification(parsing: "number(age)+one-hot(slot)").isShared)
  }

  @Test(
    "what is wrong with a term is said",
    arguments: [
      ("age", "\"age\" is not a feature; write terms such as number(age)+one-hot(country)"),
      ("onehot(a)", "unknown feature \"onehot\"; did you mean \"one-hot\"?"),
      ("number(a,b)", "\"number(a,b)\" must be number(NAME) or standardized(NAME)"),
      ("one-hot(a,b)", "must be one-hot(NAME), with a limit"), ("cross(a)", "2 to 4 factors"),
      ("cross(a,4)+cross(a,4)", "given twice"), ("hash(a)", "must be hash(NAME,...,SIZE)"),
      ("hash(a,b)", "\"b\" in the feature \"hash(a,b)\" must be a whole number from 1 to 1048576"),
      ("one-hot(a,0)", "from 1 to 100000"), ("one-hot()", "is not a name"),
      ("number(features.)", "is not a name"), ("number(a", "parentheses that do not match"),
      ("number(a)+", "is not a feature"),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: SpecificationError.self) {
      try FeatureSpecification(parsing: text)
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "none")")
  }
}
