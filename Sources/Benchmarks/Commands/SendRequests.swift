import ArgumentParser

/// Sends requests to any server on this machine, to compare services under the same load.
struct SendRequests: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send requests to a server on 127.0.0.1, and print the responses' times as JSON.")

  @Option(help: "The port of the server.")
  var port: UInt16

  @Option(help: "The path and query; {n} stands for the number of the request.")
  var target: String

  @Option(
    help: "The body of POST requests; {n} stands for the number of the request (default: GET).")
  var body: String?

  @Option(help: "The number of requests.")
  var requests = 50_000

  @Option(help: "The number of connections.")
  var connections = 256

  @Option(help: "Requests per second (default: as many as possible).")
  var rate: Double?

  func validate() throws {
    if requests < 1 || connections < 1 || rate.map({ $0 <= 0 }) ?? false {
      throw ValidationError("--requests, --connections and --rate must be positive")
    }
  }

  func run() throws {
    let plan = LoadPlan(connections: connections, requests: requests, rate: rate) { number in
      let target = target.replacing("{n}", with: "\(number)")
      guard let body else { return LoadPlan.get(target) }
      return LoadPlan.post(
        target, type: "application/json",
        body: Array(body.replacing("{n}", with: "\(number)").utf8))
    }
    let result = try LoadGenerator(port: port).run(plan)
    let statuses = result.statuses.sorted { $0.key < $1.key }
      .map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    print(
      "{\"seconds\":\(result.seconds),\"median\":\(result.quantile(0.5)),"
        + "\"p99\":\(result.quantile(0.99)),\"max\":\(result.latencies.last ?? 0),"
        + "\"statuses\":{\(statuses)}}")
  }
}
