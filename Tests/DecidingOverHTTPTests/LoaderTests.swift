import DecidingConfig
import DecidingCore
import DecidingExperiments
import Events
import TestSupport
import Testing

@testable import DecidingOverHTTP

@Suite("Experiments are loaded", .timeLimit(.minutes(5)))
struct ExperimentLoaderTests {
  private static func text(siteCode: String) -> String {
    """
    {"siteCode": "\(siteCode)", "enabled": true,
     "experiments": [{"id": 75253, "variations": [{"id": 0, "deviation": 1}]}]}
    """
  }

  /// What a client says of a load.
  private static func refresh(_ loader: some ExperimentLoader, _ site: String = "a1 b2")
    async -> ExperimentError?
  {
    let factory = ClientFactory(loader: loader, surroundings: Surroundings(sink: MemorySink()))
    let client = factory.create(siteCode: site)
    do throws(ExperimentError) {
      try await client.refresh()
      #expect(client.ready)
      return nil
    } catch {
      #expect(!client.ready && client.lastRefreshError == error)
      return error
    }
  }

  @Test("from a server, with the site's code in the address")
  func server() async throws {
    let server = try TestHTTPServer { _ in .init(text: Self.text(siteCode: "a1 b2")) }
    let loader = try HTTPExperimentLoader(
      server.address + "/sites/{siteCode}.json?v=2", fields: ["x-key": "secret"])
    #expect(await Self.refresh(loader) == nil)
    let sent = try #require(server.requests.first)
    #expect(sent.method == "GET" && sent.target == "/sites/a1%20b2.json?v=2")
    #expect(sent["x-key"] == "secret")
  }

  @Test(
    "or fail with what the server said",
    arguments: [
      (TestHTTPServer.Response(404), "there is no configuration at http"),
      (.init(503, fields: [(name: "Retry-After", value: "5")]), "status 503; retry after 5"),
      (.init(text: "<html>"), "is no JSON"), (.init(body: [0xFF]), "is not UTF-8"),
      (.init(text: #"{"siteCode": "other", "experiments": []}"#), "siteCode"),
      (.init(302, fields: [(name: "Location", value: "http://127.0.0.1:1/x")]), "redirects"),
      (.raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}"), "cannot be reached"),
    ])
  func failures(response: TestHTTPServer.Response, words: String) async throws {
    let server = try TestHTTPServer { _ in response }
    let loader = try HTTPExperimentLoader(server.address + "/{siteCode}")
    let error = try #require(await Self.refresh(loader))
    #expect(error.description.contains(words), "\(error)")
  }

  @Test("within the timeout")
  func timeout() async throws {
    let server = try TestHTTPServer { _ in .stalled("") }
    let loader = try HTTPExperimentLoader(
      server.address + "/{siteCode}", timeout: .milliseconds(50))
    await #expect(throws: HTTPError.timeout(.milliseconds(50))) {
      try await loader.load(siteCode: "x")
    }
  }

  @Test("only from an address with a place for the site's code")
  func addresses() {
    for text in ["http://h/sites", "{siteCode}", "ftp://h/{siteCode}"] {
      #expect(throws: HTTPError.self) { try HTTPExperimentLoader(text) }
    }
  }

  @Test("from a file, again at each load")
  func file() async throws {
    let folder = try TemporaryFolder()
    let loader = FileExperimentLoader(folder.path("{siteCode}.json"))
    let missing = try #require(await Self.refresh(loader, "a1"))
    #expect(missing.description.contains("there is no file \"\(folder.path("a1.json"))\""))
    _ = try folder.write(Self.text(siteCode: "a1"), "a1.json")
    #expect(await Self.refresh(loader, "a1") == nil)
    #expect(try await loader.load(siteCode: "a1").experiments.map(\.id) == [75253])
    _ = try folder.write("{", "a1.json")
    #expect(await Self.refresh(loader, "a1")?.description.contains("is no JSON") == true)
    let whole = FileExperimentLoader(folder.path("only.json"))
    _ = try folder.write(Self.text(siteCode: "a1"), "only.json")
    #expect(await Self.refresh(whole, "a1") == nil)
    await #expect(throws: ConfigurationFileError.self) {
      try await FileExperimentLoader(folder.path).load(siteCode: "a1")
    }
  }
}

@Suite("Configurations of users are downloaded", .timeLimit(.minutes(5)))
struct ConfigDownloaderTests {
  private static func text(group: String) -> String {
    """
    {"meta": {"format_version_string": "1.0", "group": "\(group)"},
     "config_sections": {"App": {"settings": {"Chat": {"value": true}}},}}
    """
  }

  private static func config(_ downloader: some ConfigDownloader, user: String?) -> ActiveConfig {
    ActiveConfig(downloader: downloader, user: user, surroundings: Surroundings(sink: MemorySink()))
  }

  @Test("from a server, with the user in the address")
  func server() async throws {
    let server = try TestHTTPServer { request in
      .init(text: Self.text(group: request.target.hasSuffix("/") ? "A" : "B"))
    }
    let downloader = try HTTPConfigDownloader(
      server.address + "/user/{user}", fields: ["x-key": "secret"], parsing: .tolerant)
    let config = Self.config(downloader, user: "a/b")
    #expect(try await config.download() == .applied)
    #expect(config.meta["group"] == "B" && config["App"]?.boolForKey("Chat") == true)
    config.setUser(nil)
    #expect(try await config.download() == .applied)
    #expect(config.meta["group"] == "A")
    #expect(server.requests.map(\.target) == ["/user/a%2Fb", "/user/"])
    #expect(server.requests.allSatisfy { $0["x-key"] == "secret" })
  }

  @Test("and what fails leaves the one in use")
  func failures() async throws {
    for response in [TestHTTPServer.Response(404), .init(204), .init(text: "")] {
      let server = try TestHTTPServer { _ in response }
      let config = Self.config(try HTTPConfigDownloader(server.address + "/{user}"), user: "u")
      #expect(try await config.download() == .ignored(.nothing))
    }
    for (response, words) in [
      (TestHTTPServer.Response(500), "status 500"), (.init(text: Self.text(group: "A")), "line 2"),
      (.init(301, fields: [(name: "Location", value: "/elsewhere")]), "redirects"),
    ] {
      let server = try TestHTTPServer { _ in response }
      let config = Self.config(try HTTPConfigDownloader(server.address + "/{user}"), user: "u")
      let error = await #expect(throws: ConfigError.self) { try await config.download() }
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test("from files, which no name of a user can leave")
  func files() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.text(group: "secret"), "outside.json")
    let downloader = FileConfigDownloader(folder.path("users/{user}.json"), parsing: .tolerant)
    for user in ["u", "../outside", "..", ""] {
      #expect(try await Self.config(downloader, user: user).download() == .ignored(.nothing))
    }
    let bare = ConfigurationFile(folder.path("{user}"), placeholder: "user")
    #expect(bare.path(of: "..") == folder.path("%2E%2E"))
    _ = try folder.write(Self.text(group: "B"), "u%2F1.json")
    let config = Self.config(
      FileConfigDownloader(folder.path("{user}.json"), parsing: .tolerant), user: "u/1")
    #expect(try await config.download() == .applied)
    #expect(config.meta["group"] == "B")
    let strict = Self.config(FileConfigDownloader(folder.path("{user}.json")), user: "u/1")
    await #expect(throws: ConfigError.self) { try await strict.download() }
  }
}
