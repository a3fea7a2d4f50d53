import DecidingAgents
import DecidingConfig
import DecidingCore
import DecidingExperiments
import DecidingOverHTTP
import TestSupport
import Testing

/// The examples of the catalogue of `DecidingOverHTTP`.
@Suite("Example of DecidingOverHTTP")
struct DecidingOverHTTPExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example of agents runs")
  func agents() async throws {
    let server = try TestHTTPServer { request in
      request.target.contains("/goal/")
        ? .init(text: #"{"session":"s-42","goal":"purchase","reward":12.5,"accepted":true}"#)
        : .init(text: #"{"session":"s-42","decision":"red","propensity":0.5,"reason":"random"}"#)
    }
    let (address, key, timeout) = (server.address, "secret", Duration.seconds(600))
    let client = AgentClient(
      owner: "shop", apiKey: key, transport: try HTTPAgents(address), session: "s-42",
      timeout: timeout)
    let checkout = client.agent("checkout")
    let choice = await checkout.decision(choices: "red,blue")
    print(choice.code, choice.propensity ?? 1, choice.reason)
    let purchase = await checkout.goal("purchase", reward: 12.5)
    print(purchase.accepted, purchase.reward)
    #expect(shown.lines == ["red 0.5 random", "true 12.5"])
  }

  @Test("the example of configurations runs")
  func configurations() async throws {
    let server = try TestHTTPServer { request in
      request.target == "/settings/user-7"
        ? .init(text: #"{"meta":{},"config_sections":{"App":{"settings":{}}}}"#)
        : .init(text: #"{"siteCode":"a1b2c3","experiments":[]}"#)
    }
    let (address, surroundings) = (server.address, Surroundings(sink: MemorySink()))
    let loader = try HTTPExperimentLoader(address + "/sites/{siteCode}.json")
    let factory = ClientFactory(loader: loader, surroundings: surroundings)
    let downloader = try HTTPConfigDownloader(address + "/settings/{user}")
    let config = ActiveConfig(downloader: downloader, user: "user-7", surroundings: surroundings)

    let client = factory.create(siteCode: "a1b2c3")
    try await client.refresh()
    #expect(client.ready)
    #expect(try await config.download() == .applied)
    #expect(config["App"] != nil)
  }
}
