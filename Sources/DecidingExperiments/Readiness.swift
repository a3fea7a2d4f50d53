internal import DecidingCore
internal import Threads

/// The callers that wait for the first configuration.
final class Readiness: Sendable {
  private struct Waiter {
    let answer: CheckedContinuation<Bool, Never>
    let timer: Task<Void, Never>
  }

  private struct Content {
    var isReady = false
    var waiters: [Int: Waiter] = [:]
    /// The callers cancelled before they began to wait.
    var gone: Set<Int> = []
    var nextNumber = 0
  }

  private let content: Monitor<Content>
  private let time: any TimeSource

  init(_ time: any TimeSource, isReady: Bool) {
    self.time = time
    content = Monitor(Content(isReady: isReady))
  }

  /// Whether there is a configuration. It never becomes false again.
  var isReady: Bool { content.withLock { $0.isReady } }

  /// Marks that there is a configuration, and resumes all waiting callers.
  func begin() {
    let waiters = content.withLock { content in
      content.isReady = true
      defer { content.waiters = [:] }
      return content.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
    for waiter in waiters {
      waiter.timer.cancel()
      waiter.answer.resume(returning: true)
    }
  }

  /// Returns true as soon as there is a configuration, and false on a timeout or when the task is cancelled.
  /// If the timeout coincides with the arrival of the configuration, the result is true.
  func wait(atMost timeout: Duration) async -> Bool {
    let number = content.withLock { content in
      content.nextNumber += 1
      return content.nextNumber
    }
    guard !isReady, timeout > .zero else { return isReady }
    defer { _ = content.withLock { $0.gone.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (answer: CheckedContinuation<Bool, Never>) in
        let immediate: Bool? = content.withLock { content in
          if content.isReady || content.gone.remove(number) != nil { return content.isReady }
          let timer = Task { await self.expire(number, after: timeout) }
          content.waiters[number] = Waiter(answer: answer, timer: timer)
          return nil
        }
        if let immediate { answer.resume(returning: immediate) }
      }
    } onCancel: {
      giveUp(number, isEarly: true)
    }
  }

  private func expire(_ number: Int, after timeout: Duration) async {
    do {
      try await time.sleep(for: timeout)
    } catch {
      // Whoever cancelled the timer has answered; after any other failure to sleep no caller may be left
      // waiting.
      if Task.isCancelled { return }
    }
    giveUp(number, isEarly: false)
  }

  private func giveUp(_ number: Int, isEarly: Bool) {
    let (waiter, isReady) = content.withLock { content in
      let waiter = content.waiters.removeValue(forKey: number)
      if waiter == nil, isEarly, !content.isReady { content.gone.insert(number) }
      return (waiter, content.isReady)
    }
    waiter?.timer.cancel()
    waiter?.answer.resume(returning: isReady)
  }
}
