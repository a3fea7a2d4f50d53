import DecidingAgents
import EventLog
import Events
import Foundation
import TestSupport
import Testing

@testable import Service

struct DurabilityTests {
  private static func harness(
    _ folder: TemporaryFolder, _ disk: FailingDisk, waits: Bool = true
  ) throws -> ServiceHarness {
    try ServiceHarness(log: folder.path("log")) {
      $0.disk = disk
      $0.retryDelay = .milliseconds(20)
      $0.waitsForDisk = waits
    }
  }

  private static func recover(_ harness: ServiceHarness) async throws {
    for _ in 0..<1_000 where harness.service.host.unreadiness != nil {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(harness.service.host.unreadiness == nil)
  }

  @Test("a disk that fails is answered with 503, and the service goes on when it works again")
  func failure() async throws {
    let folder = try TemporaryFolder()
    let disk = FailingDisk()
    let harness = try Self.harness(folder, disk)
    let first = await harness.get("/acme/shop/decision/a,b?session=s")
    #expect(first.status == 200)

    disk.failing.isFailing = true
    let refused = await harness.get("/acme/shop/decision/a,b?session=t")
    #expect(refused.status == 503)
    #expect(refused["code"] == "not-recorded")
    #expect(refused.response.fields["retry-after"] == "5")
    // Changing routes stay unavailable, also for what was decided before; reading ones answer.
    #expect(await harness.get("/acme/shop/decision/a,b?session=s").status == 503)
    #expect(await harness.get("/acme/-/agents").status == 200)
    #expect(harness.service.host.unreadiness != nil)

    disk.failing.isFailing = false
    try await Self.recover(harness)
    let again = await harness.get("/acme/shop/decision/a,b?session=s")
    #expect(again["decision"] == first["decision"])
    #expect(await harness.get("/acme/shop/decision/a,b?session=t").status == 200)
    #expect(
      SystemStates(harness.service.host.systems) == (try SystemStates(replaying: harness.log)))
    await harness.service.drain()
    harness.service.close()
  }

  @Test("a log that was moved is not replaced by a new one at its path, and served when it is back")
  func moved() async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log")) {
      $0.retryDelay = .milliseconds(20)
    }
    let files = FileManager.default
    let first = await harness.get("/acme/shop/decision/a,b?session=s")
    #expect(first.status == 200)
    try files.moveItem(atPath: folder.path("log"), toPath: folder.path("moved"))
    try files.createDirectory(
      atPath: folder.path("log"), withIntermediateDirectories: false)
    for _ in 0..<5 {
      #expect(await harness.get("/acme/shop/decision/a,b?session=t").status == 503)
      try await Task.sleep(for: .milliseconds(30))
    }
    #expect(try files.contentsOfDirectory(atPath: folder.path("log")) == [])
    #expect(harness.service.host.unreadiness?.contains("no longer has the log") == true)
    try files.removeItem(atPath: folder.path("log"))
    try files.moveItem(atPath: folder.path("moved"), toPath: folder.path("log"))
    try await Self.recover(harness)
    let again = await harness.get("/acme/shop/decision/a,b?session=s")
    #expect(again["decision"] == first["decision"])
    harness.service.close()
  }

  @Test(
    "a definition that a client changed is kept when the systems are rebuilt, and configured ones are durable"
  )
  func definitions() async throws {
    let folder = try TemporaryFolder()
    let disk = FailingDisk()
    let harness = try ServiceHarness(log: folder.path("log")) {
      $0.disk = disk
      $0.retryDelay = .milliseconds(20)
      $0.systems.agents = [AgentDefinition("shop", name: "Configured"), AgentDefinition("news")]
    }
    #expect(try harness.events.count == 2)
    let changed = await harness.send("PUT", "/acme/shop", body: #"{"name":"Changed"}"#)
    #expect(changed["name"] == "Changed")
    disk.failing.isFailing = true
    #expect(await harness.send("PUT", "/acme/news", body: #"{"name":"Lost"}"#).status == 503)
    disk.failing.isFailing = false
    try await Self.recover(harness)
    #expect(await harness.get("/acme/shop")["name"] == "Changed")
    #expect(await harness.get("/acme/news")["name"] == nil)
    harness.service.close()
  }

  @Test(
    "every acknowledged decision survives failures under load, and is answered the same afterwards",
    arguments: 1...3)
  func load(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let disk = FailingDisk()
    let harness = try Self.harness(folder, disk)
    let acknowledged = await withTaskGroup(of: [String: String].self) { group in
      for worker in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 100 &+ UInt64(worker))
          var answers: [String: String] = [:]
          for number in 0..<60 {
            if worker == 0, random.chance(0.1) { disk.failing.isFailing.toggle() }
            let session = "s\(worker)-\(number / 2)"
            let answer = await harness.get("/acme/shop/decision/a,b,c?session=\(session)")
            #expect([200, 503].contains(answer.status))
            guard answer.status == 200, let code = answer["decision"]?.string else {
              try? await Task.sleep(for: .milliseconds(5))
              continue
            }
            if let earlier = answers[session] { #expect(earlier == code) }
            answers[session] = code
          }
          if worker == 0 { disk.failing.isFailing = false }
          return answers
        }
      }
      return await group.reduce(into: [:]) { $0.merge($1) { a, _ in a } }
    }
    try await Self.recover(harness)
    #expect(!acknowledged.isEmpty)
    #expect(
      SystemStates(harness.service.host.systems) == (try SystemStates(replaying: harness.log)))
    await harness.service.drain()
    harness.service.close()

    let restarted = try ServiceHarness(log: harness.log, seed: 99)
    for (session, code) in acknowledged {
      let answer = await restarted.get("/acme/shop/decision/a,b,c?session=\(session)")
      #expect(answer["decision"]?.string == code)
    }
  }

  @Test("without waiting for the disk, answers become durable soon, and a drain loses none")
  func noWait() async throws {
    let folder = try TemporaryFolder()
    let harness = try Self.harness(folder, FailingDisk(), waits: false)
    #expect(await harness.get("/acme/shop/decision/a,b?session=s").status == 200)
    let writer = harness.service.host.systems.writer
    for _ in 0..<500 where writer.durablePosition == 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(writer.durablePosition == 1)
    #expect(await harness.get("/acme/shop/decision/a,b?session=t").status == 200)
    await harness.service.drain()
    #expect(try harness.events.count == 2)
    let refused = await harness.get("/acme/shop/decision/a,b?session=u")
    #expect(refused.status == 503 && refused["code"] == "stopping")
    harness.service.close()
  }

  @Test("beyond the limit of waiting requests, further ones are refused")
  func overload() async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log")) { $0.waitingLimit = 0 }
    let answer = await harness.get("/acme/shop/decision/a,b")
    #expect(answer.status == 503 && answer["code"] == "overloaded")
    #expect(answer.response.fields["retry-after"] == "1")
  }
}
