internal import NIOCore
internal import NIOHTTPTypes

/// How long clients may take.
struct TimeLimits: Sendable {
  /// For the head of a request, from its first byte; of the first request of a connection, from its start.
  var head = TimeAmount.seconds(10)
  /// For the whole body of a request.
  var body = TimeAmount.seconds(30)
  /// Between two requests of a connection, and for reading an answer.
  var idle = TimeAmount.seconds(60)
}

/// Tells the handlers behind it that bytes have arrived, which may belong to an incomplete head.
final class ArrivalHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The event that tells it.
  struct Arrival: Sendable {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.fireUserInboundEventTriggered(Arrival())
    context.fireChannelRead(data)
  }
}

/// Closes connections whose clients take too long: to send a head or a body, however many bytes arrive meanwhile, or to
/// make the next request.
final class TimeLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: TimeLimits
  /// The requests whose heads were read and that are not answered.
  private var unanswered = 0
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
    context.fireChannelInactive()
  }

  // MARK: Parts

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ArrivalHandler.Arrival, !isReadingHead, !isReadingBody, unanswered == 0 {
      isReadingHead = true
      deadline = .now() + limits.head
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      unanswered += 1
      isReadingHead = false
      isReadingBody = true
      deadline = .now() + limits.body
    case .body: break
    case .end:
      isReadingBody = false
      rest()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      unanswered -= 1
      if !isReadingBody { rest() }
    }
    context.write(data, promise: promise)
  }

  /// Sets the deadline when no part of a request is awaited.
  private func rest() { deadline = unanswered > 0 ? nil : .now() + limits.idle }

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
