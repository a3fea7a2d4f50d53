internal import ArgumentParser
internal import DecidingAgents
internal import Service

/// The options of the command.
struct ServeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of the log; created if it does not exist.", valueName: "log"),
    completion: .directory)
  var log: String

  @Option(
    help: ArgumentHelp(
      "The owner of the agents: the first segment of their paths.", valueName: "name"))
  var owner = "bandolier"

  @Option(
    name: .customLong("config"),
    help: ArgumentHelp(
      "A configuration, as for bandolier decide; may be repeated.", valueName: "file"),
    completion: .file())
  var configs: [String] = []

  @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
  var address = "127.0.0.1"

  @Option(help: ArgumentHelp("The port; 0 picks a free one.", valueName: "port"))
  var port = 8080

  @Option(
    help: ArgumentHelp("The file of keys; without it every route is open.", valueName: "file"),
    completion: .file())
  var keys: String?

  @Option(
    help: ArgumentHelp("The certificate chain for TLS, in PEM.", valueName: "file"),
    completion: .file())
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp("The private key for TLS, in PEM.", valueName: "file"),
    completion: .file())
  var tlsKey: String?

  @Flag(
    help: "A proxy terminates TLS; the last address of X-Forwarded-For is the client's.")
  var behindProxy = false

  @Option(
    help: ArgumentHelp(
      "Which inputs of decisions are recorded as their context: all (without ip, ua and referer), none, or names "
        + "separated by commas; a definition's recordInputs comes first (default: all).",
      valueName: "names"),
    transform: { text in
      guard let recorded = RecordedInputs(text) else {
        throw ValidationError("write all, none, or names separated by commas")
      }
      return recorded
    })
  var recordInputs = RecordedInputs.all

  @Flag(help: "Answer before the disk has the events, which follow within 100 ms.")
  var noWait = false

  @Option(
    name: .customLong("cors-origin"),
    help: ArgumentHelp(
      "A web origin whose pages may call the service, such as https://shop.example; may be repeated.",
      valueName: "origin"))
  var corsOrigins: [String] = []

  @Option(
    help: ArgumentHelp(
      "Requests per second of each key and each address; 0 for no limit (default: 1000, on loopback 0).",
      valueName: "number"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "The size at which a file of the log is ended, at least 4096.", valueName: "bytes"))
  var segmentSize: UInt64 = 64 << 20

  @Option(help: ArgumentHelp("The maximum number of connections.", valueName: "number"))
  var connections = 10_000
}

/// The task that was given on the command line.
struct ServePlan: Sendable {
  var service: ServiceOptions
  var configs: [String]
  var address: String
  var port: Int
  var connections: Int
  /// The paths of the certificate chain and the private key; nil without TLS.
  var tls: (certificate: String, key: String)?
  /// Whether every route is open to everyone on this machine.
  var isOpen: Bool { service.access.keys == nil }
}
