internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes

/// The pipeline of a connection: HTTP 1.1 with limits on sizes and times.
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
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(ArrivalHandler())
    }.flatMap { base.setup(channel: channel, logger: logger) }
  }

  func handle(value: Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
