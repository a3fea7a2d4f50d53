internal import NIOCore
internal import NIOHTTP1

/// Makes what differs between versions of HTTP the same for everything after it: of a request whose connection ends
/// after the answer the field `connection` is `close`.
///
/// A client of HTTP 1.0 reads until the connection ends, may leave out `host`, and does not know `expect`.
final class RequestHeadHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    let isOld = head.version.major < 1 || head.version.major == 1 && head.version.minor < 1
    let hosts = head.headers["host"].count
    // After a request that does not name one host, it is uncertain what the bytes that follow mean.
    let isRefused = hosts > 1 || hosts == 0 && !isOld
    if isOld || isRefused || !head.isKeepAlive {
      head.headers.replaceOrAdd(name: "connection", value: "close")
    }
    if isOld {
      head.headers.remove(name: "expect")
      if hosts == 0 { head.headers.add(name: "host", value: "") }
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
