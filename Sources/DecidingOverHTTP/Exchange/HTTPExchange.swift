internal import Foundation
internal import Threads

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One request and its response. The first outcome wins: the response, an error, the timeout, or
/// the cancellation of the caller; the transfer is then cancelled, and the caller resumes exactly
/// once.
final class HTTPExchange: Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPError>

  private struct Content: Sendable {
    var outcome: Outcome?
    var caller: CheckedContinuation<Outcome, Never>?
    var task: URLSessionTask?
    var response = HTTPResponse(status: 0, body: [])
  }

  private let limit: Int
  private let content = Monitor(Content())

  init(limit: Int) { self.limit = limit }

  /// Starts the transfer, unless the exchange has ended, and returns the outcome.
  func outcome(of start: () -> URLSessionTask) async -> Outcome {
    await withCheckedContinuation { caller in
      let early = content.withLock { content in
        if content.outcome == nil {
          content.caller = caller
          // Nobody cancels a task that has not started, which `URLSession` might not expect.
          content.task = start()
        }
        return content.outcome
      }
      if let early { caller.resume(returning: early) }
    }
  }

  /// Ends the exchange unless it has ended.
  ///
  /// - Parameters:
  ///   - outcome: The outcome.
  ///   - cancels: Whether to cancel the transfer.
  /// - Returns: Whether it had not ended.
  @discardableResult
  func end(_ outcome: Outcome, cancels: Bool = true) -> Bool {
    let ended: Content? = content.withLock { content in
      guard content.outcome == nil else { return nil }
      let ended = content
      content = Content(outcome: outcome)
      return ended
    }
    ended?.caller?.resume(returning: outcome)
    if cancels { ended?.task?.cancel() }
    return ended != nil
  }

  /// Takes the head of the response.
  func begin(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else {
      end(.failure(.network("the response is not one of HTTP")))
      return
    }
    if response.expectedContentLength > Int64(limit) { end(.failure(.tooLarge(limit: limit))) }
    let retryAfter = response.value(forHTTPHeaderField: "Retry-After")
    content.withLock { content in
      content.response = HTTPResponse(
        status: response.statusCode, retryAfter: retryAfter, body: [])
    }
  }

  /// Takes a part of the body.
  func receive(_ data: Data) {
    let isTooLarge = content.withLock { content in
      guard content.outcome == nil else { return false }
      guard content.response.body.count + data.count <= limit else { return true }
      content.response.body += data
      return false
    }
    if isTooLarge { end(.failure(.tooLarge(limit: limit))) }
  }

  /// Takes the end of the transfer.
  func complete(_ problem: String?) {
    let response = content.withLock { $0.response }
    if let problem {
      end(.failure(.network(problem)), cancels: false)
    } else if response.status == 0 {
      end(.failure(.network("the response ends before its body")), cancels: false)
    } else {
      end(.success(response), cancels: false)
    }
  }
}

/// The exchanges of a session, found by the number of their task.
final class HTTPExchanges: NSObject, URLSessionDataDelegate {
  private let exchanges = Monitor<[Int: HTTPExchange]>([:])

  func add(_ exchange: HTTPExchange, of task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  private func exchange(of task: URLSessionTask) -> HTTPExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let address = request.url?.absoluteString ?? ""
    let outcome = HTTPExchange.Outcome.failure(.redirected(response.statusCode, to: address))
    // `URLSession` of swift-corelibs-foundation traps on an answer about a cancelled task, so a
    // task is either cancelled or answered about.
    if exchange(of: task)?.end(outcome, cancels: false) == true { completionHandler(nil) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(of: dataTask)?.begin(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    exchange?.complete(error.map { $0.localizedDescription })
  }

  #if canImport(FoundationNetworking)
    /// Passes the response with status 401 on. Without this method `URLSession` of
    /// swift-corelibs-foundation waits for a credential, without end.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (
          URLSession.AuthChallengeDisposition, URLCredential?
        ) -> Void
    ) {
      exchange(of: task)?.complete(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  #endif
}
