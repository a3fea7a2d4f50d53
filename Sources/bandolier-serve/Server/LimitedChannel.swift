internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// The pipeline of a connection: HTTP 1.1 with limits on sizes, times, and what is read ahead of the answers.
struct LimitedChannel: ServerChildChannel {
  typealias Value = HTTP1Channel.Value

  private let base: HTTP1Channel

  /// The maximum size of all header fields together.
  static let headLimit = 16 << 10

  init(_ limits: TimeLimits, responder: @escaping HTTPChannelHandler.Responder) {
    base = HTTP1Channel(
      responder: responder,
      configuration: .init(
        additionalChannelHandlers: [TimeLimitHandler(limits)],
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: Self.headLimit, maxHeaderListSize: Self.headLimit,
          maxHeaderFieldCount: 100)))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let allocator = AdaptiveRecvByteBufferAllocator(
      minimum: PacingHandler.sliceSize, initial: 2 * PacingHandler.sliceSize,
      maximum: PacingHandler.receiveSize)
    return channel.setOption(.recvAllocator, value: allocator)
      .and(channel.setOption(.maxMessagesPerRead, value: 1))
      .flatMapThrowing { _ in try channel.pipeline.syncOperations.addHandler(PacingHandler()) }
      .flatMap { base.setup(channel: channel, logger: logger) }
      .flatMapThrowing { value in
        let pipeline = channel.pipeline.syncOperations
        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(RequestHeadHandler(), position: .before(codec))
        return value
      }
  }

  func handle(value: Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
