import TestSupport
import Testing
import Threads

@testable import bandolier

@Suite("Commits while more is appended")
struct CommitAheadTests {
  private struct Refusal: Error {}

  @Test("what comes during a commit is served by the next one, in order")
  func coalesced() throws {
    let gate = Monitor((isOpen: false, numbers: [Int]()))
    let commits = CommitAhead { number in
      gate.withLock { $0.numbers.append(number) }
      gate.wait { $0.isOpen ? () : nil }
    }
    try commits.request(1)
    while gate.withLock({ $0.numbers.isEmpty }) {}
    for number in 2...50 { try commits.request(number) }
    gate.withLock {
      $0.isOpen = true
      gate.announce()
    }
    try commits.wait()
    #expect(gate.withLock { $0.numbers } == [1, 50])
    try commits.wait()
  }

  @Test("the error of a commit is that of waiting and of the next request")
  func failing() throws {
    let commits = CommitAhead { if $0 == 2 { throw Refusal() } }
    try commits.request(1)
    try commits.wait()
    try commits.request(2)
    #expect(throws: Refusal.self) { try commits.wait() }
    #expect(throws: Refusal.self) { try commits.request(3) }
  }
}
