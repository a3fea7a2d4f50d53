import Platform
import TestSupport
import Testing

@testable import Threads

@Suite("Monitor")
struct MonitorTests {
  private struct Refusal: Error {}

  @Test("one thread accesses the value at a time, and no change is lost")
  func counts() {
    let monitor = Monitor(0)
    onThreads(4) { _ in
      for _ in 0..<5_000 {
        // Read and written apart, so that two at a time would lose a step.
        monitor.withLock { value in
          let seen = value
          value = seen + 1
        }
      }
    }
    #expect(monitor.withLock { $0 } == 20_000)
  }

  @Test("no thread can access the value while one does, not even that thread")
  func tryLock() {
    let monitor = Monitor(1)
    #expect(monitor.tryLock { $0 } == 1)
    #expect(monitor.withLock { _ in monitor.tryLock { $0 } } == nil)
    #expect(monitor.tryLock { $0 } == 1)
  }

  @Test("waiting threads check again after each announcement, and are counted until then")
  func waits() {
    let monitor = Monitor(0)
    let announcer = startThread {
      for round in 1...50 {
        yield { monitor.waitingCount == 3 }
        monitor.withLock { value in
          value = round
          monitor.announce()
        }
      }
    }
    onThreads(3) { _ in
      for round in 1...50 {
        let value = monitor.wait { $0 >= round ? $0 : nil }
        #expect(value >= round)
      }
    }
    pthread_join(announcer, nil)
    #expect(monitor.waitingCount == 0)
  }

  @Test("errors of a closure are rethrown, and the monitor is unlocked")
  func throwing() {
    let monitor = Monitor(0)
    #expect(throws: Refusal.self) {
      try monitor.withLock { _ throws(Refusal) in
        throw Refusal()
      }
    }
    #expect(monitor.tryLock { $0 } == 0)
  }
}
