internal import DecidingAgents
internal import Events

/// The response of a service of agents, as a reply or an error.
struct ReceivedReply {
  private let response: HTTPResponse

  init(_ response: HTTPResponse) { self.response = response }

  /// Returns the reply to the request.
  ///
  /// - Throws: ``AgentError``, as ``HTTPAgents/send(_:)`` does.
  func reply(to request: AgentRequest) throws(AgentError) -> AgentReply {
    guard let text = String(validating: response.body, as: UTF8.self) else {
      throw failure ?? .invalidReply("the body is not UTF-8")
    }
    if let refusal = refusal(text) { throw refusal }
    if let failure { throw failure }
    return try AgentReply(parsing: text, to: request)
  }

  /// The error that the body names with `err`; nil if it names none.
  private func refusal(_ text: String) -> AgentError? {
    guard let json = try? JSONValue(parsing: text), let reason = json["err"] else { return nil }
    let words = (reason.string ?? reason.description) + retry
    if json["code"]?.string == "not-recorded" { return .notRecorded(words) }
    return isTemporary ? .network(words) : .service(words)
  }

  /// The error that follows from the status alone; nil for a success.
  private var failure: AgentError? {
    if response.isSuccess { return nil }
    let status = "HTTP status \(response.status)"
    return switch response.status {
    case _ where isTemporary: .network(status + retry)
    case 401, 403: .service("\(status): the API key is missing, wrong, or of another scope")
    case 404: .service("\(status): there is no such route; check the address")
    case 400..<500: .service(status)
    default: .invalidReply(status)
    }
  }

  /// Whether the status says that the same request can succeed later.
  private var isTemporary: Bool {
    response.status >= 500 || response.status == 408 || response.status == 429
  }

  private var retry: String {
    guard isTemporary, let time = response.retryAfter else { return "" }
    let isSeconds = !time.isEmpty && time.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isSeconds ? "; retry after \(time) s" : "; retry after \(time)"
  }
}

extension AgentError {
  /// Creates the error of an exchange without a response.
  init(_ error: HTTPError) {
    self =
      switch error {
      case .network(let reason): .network(reason)
      case .timeout(let limit): .timeout(limit)
      case .redirected, .tooLarge, .status: .invalidReply("\(error)")
      case .invalidAddress, .invalidHeader: .service("\(error)")
      }
  }
}
