import ArgumentParser
import Platform

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Decide for clients over HTTP; the only state is the log.",
    usage: "bandolier serve --log <log> [<options>]",
    discussion: """
      Runs bandolier-serve, a program of its own that `make serve` builds, and that is looked for beside this command \
      and on the PATH. Its options:

        --log <log>               The folder of the log; created if it is missing.
        --owner <name>            The owner of the agents (default: bandolier).
        --config <file>           A configuration file; may be repeated.
        --address <address>       The address to listen on (default: 127.0.0.1).
        --port <port>             The port; 0 picks a free one (default: 8080).
        --keys <file>             The keys; without them every route is open.
        --tls-certificate <file>  The certificate chain for TLS, in PEM.
        --tls-key <file>          The private key for TLS, in PEM.
        --behind-proxy            A proxy terminates TLS.
        --record-inputs <names>   The inputs that decisions record: all, none, or names (default: all).
        --no-wait                 Answer before the events are on disk.
        --cors-origin <origin>    A web origin that may call it; may be repeated.
        --rate <number>           Requests per second of each key and address.
        --segment-size <bytes>    The size at which a file of the log is ended.
        --connections <number>    The maximum number of connections.
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The options of bandolier-serve.", valueName: "options"))
  var options: [String] = []

  func run() throws {
    if options.contains("--help") || options.contains("-h") { throw CleanExit.helpRequest(self) }
    let name = "bandolier-serve"
    // Safety: the path outlives the call.
    if let beside = Self.folder().map({ "\($0)/\(name)" }),
      unsafe access(beside, X_OK) == 0
    {
      Self.replace(by: beside, options)
    }
    Self.replace(by: name, options)
    throw Failure(
      exitCode: Failure.inputMissing,
      "bandolier-serve is neither beside this command nor on the PATH; build it with `make serve` in the source of "
        + "Bandolier, and install it with `make install`")
  }

  /// Returns the folder of this command; nil if the system does not say.
  private static func folder() -> String? {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    // Safety: no more is written than the array holds.
    let count = unsafe path.withUnsafeMutableBytes { buffer in
      guard let text = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return -1
      }
      return unsafe readlink("/proc/self/exe", text, buffer.count)
    }
    guard count > 0 else { return nil }
    let text = String(decoding: path[..<count], as: UTF8.self)
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }

  /// Replaces this process by a program, found on the PATH if its name has no slash; returns only if that fails.
  private static func replace(by program: String, _ arguments: [String]) {
    // Signals that are ignored here would be ignored there as well.
    signal(SIGPIPE, SIG_DFL)
    signal(SIGXFSZ, SIG_DFL)
    // Safety: the copies of the arguments live until the call has replaced the process, or has failed, after which
    // they are freed.
    var list: [UnsafeMutablePointer<CChar>?] = unsafe []
    for text in [program] + arguments { unsafe list.append(strdup(text)) }
    unsafe list.append(nil)
    _ = unsafe execvp(program, &list)
    unsafe list.forEach { unsafe free($0) }
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}

extension ServeCommand: WorkedExamples {
  static let examples = [
    "bandolier serve --log live.log --port 8080",
    #"""
    bandolier serve --log live.log --config shop.json \
      --keys serve.keys --cors-origin https://shop.example
    """#,
  ]
}
