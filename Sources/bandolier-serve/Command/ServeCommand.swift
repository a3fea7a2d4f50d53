internal import ArgumentParser
internal import Platform

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Decide for clients over HTTP; the only state is the log.",
    usage: "bandolier serve --log <log> [<options>]",
    discussion: """
      The log is created by the first event. Configuration files are those of `bandolier decide`. An answer is sent \
      when everything that it rests on is on disk; --no-wait sends it at once, and the disk follows within 100 ms.

      On a loopback address without --keys every route is open. Elsewhere keys are required, and TLS or a proxy that \
      terminates it. Make keys with `bandolier keys create`; the file is read again when it changes.

      SIGTERM and SIGINT end the service within 10 seconds, after the requests that are being answered; a second \
      signal ends it at once.

      Examples:

        bandolier serve --log live.log --port 8080
        bandolier serve --log live.log --config shop.json \\
          --keys serve.keys --cors-origin https://shop.example
      """)

  @OptionGroup var options: ServeOptions

  func run() throws {
    let plan = try options.plan()
    // Signals are waited for by a thread of their own; no other thread must receive them.
    Signals.block()
    SystemLimits.raiseOpenFiles()
    ServeRun(plan).runToExit()
  }
}
