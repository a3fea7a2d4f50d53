internal import NIOCore

/// The state of a connection's requests, shared by its handlers.
enum RequestProgress: Sendable {
  /// Bytes have arrived, which may belong to an incomplete head.
  case arrived
  /// The head of a request was read.
  case began
  /// The whole request was read.
  case complete
  /// The client has taken the answer to a request.
  case answered
}

/// Passes on what a client sends no faster than it takes the answers.
///
/// A decoder makes some kilobytes of every request, whose bytes may be few, so a client that sends requests together
/// and reads no answer could fill the memory. What follows a request that is not answered is therefore held as it was
/// received, and nothing more is read from the connection meanwhile.
final class PacingHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The maximum number of bytes that are passed on at once, which bounds the requests that are decoded ahead.
  static let sliceSize = 1 << 10
  /// The maximum number of bytes that are received at once, and thus held.
  static let receiveSize = 16 << 10

  private var held = ByteBuffer()
  private var unanswered = 0
  private var isReadingRequest = false
  private var isPassing = false
  private var isReadAwaited = false
  private var isInputClosed = false

  private var mayPass: Bool { unanswered == 0 || isReadingRequest }

  // MARK: Input

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
    pass(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // What was received before the end is passed on before it.
    if let event = event as? ChannelEvent, event == .inputClosed, held.readableBytes > 0 {
      isInputClosed = true
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func read(context: ChannelHandlerContext) {
    if held.readableBytes > 0 { isReadAwaited = true } else { context.read() }
  }

  private func pass(_ context: ChannelHandlerContext) {
    guard !isPassing else { return }
    isPassing = true
    defer { isPassing = false }
    while mayPass {
      let size = min(held.readableBytes, Self.sliceSize)
      guard size > 0, let slice = held.readSlice(length: size) else { break }
      context.fireUserInboundEventTriggered(RequestProgress.arrived)
      context.fireChannelRead(wrapInboundOut(slice))
    }
    if held.readableBytes == 0 { held = ByteBuffer() }
  }

  // MARK: Answers

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard let progress = event as? RequestProgress else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    promise?.succeed()
    switch progress {
    case .arrived: break
    case .began:
      unanswered += 1
      isReadingRequest = true
    case .complete: isReadingRequest = false
    case .answered:
      unanswered -= 1
      // After the handlers that are writing.
      context.eventLoop.assumeIsolated().execute { [self] in resume(context) }
    }
  }

  private func resume(_ context: ChannelHandlerContext) {
    guard context.channel.isActive, held.readableBytes > 0 else { return }
    pass(context)
    context.fireChannelReadComplete()
    guard held.readableBytes == 0 else { return }
    if isInputClosed {
      isInputClosed = false
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    if isReadAwaited {
      isReadAwaited = false
      context.read()
    }
  }
}
