import Testing
import Threads

@testable import Service

struct OrderedCompletionTests {
  private struct Broken: Error {}

  @Test("turns are taken in the order of their numbers, whichever thread is ready first")
  func order() throws {
    let (queue, turns, taken) = (WorkQueue(count: 500), OrderedCompletion(), Monitor([Int]()))
    _ = try Workers.run(4) { _ in
      while let number = queue.next() {
        let isTaken = try turns.take(number) { taken.withLock { $0.append(number) } }
        #expect(isTaken)
      }
    }
    #expect(taken.withLock { $0 } == Array(0..<500))
  }

  @Test("after a turn that failed no later one is granted, and nobody waits for it")
  func failure() throws {
    let (queue, turns, taken) = (WorkQueue(count: 100), OrderedCompletion(), Monitor([Int]()))
    #expect(throws: Broken.self) {
      _ = try Workers.run(4) { _ in
        while let number = queue.next() {
          let isTaken = try turns.take(number) {
            if number == 40 { throw Broken() }
            taken.withLock { $0.append(number) }
          }
          guard isTaken else { return }
        }
      }
    }
    #expect(taken.withLock { $0 } == Array(0..<40))
  }
}
