import Tables
import Testing

@testable import Simulations

@Suite("The self-test")
struct SelfTestTests {
  @Test("every number is within its tolerance")
  func passes() throws {
    for check in try SelfTest.checks() {
      #expect(check.isPassed, "\(check.name): \(check.value), not \(check.expected)")
    }
  }

  @Test("a number outside its tolerance fails, also in the table")
  func fails() throws {
    let check = SelfTest.Check("two and two", 4, 5, within: 0.5, "arithmetic")
    #expect(!check.isPassed)
    #expect(!SelfTest.Check("nothing", 4, .nan, within: 1, "arithmetic").isPassed)
    let table = try SelfTest.table([check])
    #expect(table.rows.first?.first == .text("failed"))
  }
}
