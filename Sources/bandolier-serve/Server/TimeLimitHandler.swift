internal import NIOCore
internal import NIOHTTPTypes

/// How long clients may take.
struct TimeLimits: Sendable {
  /// For the head of a request, from its first byte; of the first request of a connection, from its start.
  var head = TimeAmount.seconds(10)
  /// For the whole body of a request.
  var body = TimeAmount.seconds(30)
  /// For each part of an answer, of at most ``Bridge/partSize`` bytes.
  var answer = TimeAmount.seconds(30)
  /// Between two requests of a connection.
  var idle = TimeAmount.seconds(60)
}

/// Closes connections whose clients take too long: to send a head or a body, however many bytes arrive meanwhile, to
/// take an answer, or to make the next request. Closes others only when their answers are taken.
final class TimeLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: TimeLimits
  /// The requests whose heads were read and whose answers were not taken.
  private var unanswered = 0
  /// The parts of answers that were written and that the system has not taken for the client.
  private var unsent = 0
  /// The promises that wait for these parts: closing a connection drops what the system has not taken.
  private var closing: (mode: CloseMode, promise: EventLoopPromise<Void>?)?
  private var isReadingHead = false
  private var isReadingBody = false
  /// When the connection is closed; nil while the client waits for an answer.
  private var deadline: NIODeadline?
  private var check: Scheduled<Void>?

  /// Between two checks of the deadline.
  private static let interval = TimeAmount.seconds(1)

  init(_ limits: TimeLimits) { self.limits = limits }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard check == nil else { return }
    isReadingHead = true
    deadline = .now() + limits.head
    schedule(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    check?.cancel()
    closing?.promise?.succeed()
    closing = nil
    context.fireChannelInactive()
  }

  // MARK: Parts

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .arrived? = event as? RequestProgress else {
      return context.fireUserInboundEventTriggered(event)
    }
    if !isReadingHead, !isReadingBody, unanswered == 0 {
      isReadingHead = true
      deadline = .now() + limits.head
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      unanswered += 1
      isReadingHead = false
      isReadingBody = true
      deadline = .now() + limits.body
      context.triggerUserOutboundEvent(RequestProgress.began, promise: nil)
    case .body: break
    case .end:
      isReadingBody = false
      rest()
      context.triggerUserOutboundEvent(RequestProgress.complete, promise: nil)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let isLast = if case .end = unwrapOutboundIn(data) { true } else { false }
    let sent = promise ?? context.eventLoop.makePromise()
    unsent += 1
    rest()
    let isolated = sent.futureResult.assumeIsolated()
    isolated.whenSuccess { [self] in
      unsent -= 1
      if isLast { unanswered -= 1 }
      rest()
      if isLast { context.triggerUserOutboundEvent(RequestProgress.answered, promise: nil) }
      closeIfSent(context)
    }
    isolated.whenFailure { [self] _ in
      unsent -= 1
      closeIfSent(context)
    }
    context.write(data, promise: sent)
  }

  /// Closes the connection, or its output, once the client has taken all that was written.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard unsent > 0, mode != .input, context.channel.isActive else {
      return context.close(mode: mode, promise: promise)
    }
    guard let earlier = closing else { return closing = (mode, promise) }
    if let promise { earlier.promise?.futureResult.cascade(to: promise) }
    closing = (mode == .all ? .all : earlier.mode, earlier.promise ?? promise)
  }

  private func closeIfSent(_ context: ChannelHandlerContext) {
    guard unsent == 0, let (mode, promise) = closing else { return }
    closing = nil
    context.close(mode: mode, promise: promise)
  }

  /// Sets the deadline when no part of a request is awaited.
  private func rest() {
    guard !isReadingHead, !isReadingBody else { return }
    if unsent > 0 {
      deadline = .now() + limits.answer
    } else {
      deadline = unanswered > 0 ? nil : .now() + limits.idle
    }
  }

  // MARK: The deadline

  private func schedule(_ context: ChannelHandlerContext) {
    check = context.eventLoop.assumeIsolated().scheduleTask(in: Self.interval) { [self] in
      if let deadline, deadline <= .now() {
        context.close(promise: nil)
      } else {
        schedule(context)
      }
    }
  }
}
