import TestSupport
import Testing

@testable import Threads

@Suite("Work queue")
struct WorkQueueTests {
  @Test("hands out every number once, whatever the number of threads", arguments: [1, 2, 5])
  func numbers(threads: Int) {
    let queue = WorkQueue(count: 1_000)
    let taken = Monitor<[Int]>([])
    onThreads(threads) { _ in
      var own: [Int] = []
      while let number = queue.next() { own.append(number) }
      #expect(own == own.sorted())
      taken.withLock { [own] taken in taken += own }
    }
    #expect(taken.withLock { $0 }.sorted() == Array(0..<1_000))
    #expect(queue.next() == nil)
  }

  @Test("has nothing to hand out if it is empty")
  func empty() {
    #expect(WorkQueue(count: 0).next() == nil)
  }

  @Test("gives the results of pieces in their order, and an error of one", arguments: [1, 2, 5])
  func map(threads: Int) throws {
    struct Failure: Error {}
    #expect(try Workers.map(1_000, jobs: threads) { $0 * $0 } == (0..<1_000).map { $0 * $0 })
    #expect(try Workers.map(0, jobs: threads) { $0 }.isEmpty)
    #expect(throws: Failure.self) {
      try Workers.map(100, jobs: threads) { if $0 == 63 { throw Failure() } }
    }
  }
}
