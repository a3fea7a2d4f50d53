import DecidingCore
import Events
import Foundation
import TestSupport
import Testing
import Threads

@testable import Service

@Suite("A file of keys that changes while the service runs")
struct KeyRingTests {
  private let folder: TemporaryFolder
  private let notes: Monitor<[String]>
  private let guarded: GuardedService

  init() throws {
    let (folder, notes) = (try TemporaryFolder(), Monitor([String]()))
    (self.folder, self.notes) = (folder, notes)
    guarded = try GuardedService(folder) { options in
      options.note = { note in notes.withLock { $0.append(note) } }
    }
  }

  private func status() async -> Int {
    await guarded.answer("GET", "/metrics", ["x-api-key": guarded.key(.read)]).status
  }

  private func readiness() async -> ServiceResponse { await guarded.answer("GET", "/readyz") }

  private var said: [String] { notes.withLock { $0 } }

  @Test("one that is damaged is said, and its keys remain valid until it is valid again")
  func damaged() async throws {
    let before = try String(contentsOfFile: guarded.keyFile, encoding: .utf8)
    #expect(await readiness().json == ["status": "ok"])
    try "{".write(toFile: guarded.keyFile, atomically: false, encoding: .utf8)
    #expect(await status() == 200)
    #expect(await status() == 200)
    #expect(said.count == 1)
    #expect(said.first?.contains("the file of keys cannot be read: it is not JSON") == true)
    let ready = await readiness()
    #expect(ready.status == 200)
    #expect(ready.json["keys"]?.string?.contains("remain valid") == true)
    #expect(!ready.text.contains(guarded.keyFile))
    let metrics = await guarded.answer("GET", "/metrics", ["x-api-key": guarded.key(.read)])
    #expect(metrics.text.contains("\nbandolier_key_file_valid 0\n"))
    try before.write(toFile: guarded.keyFile, atomically: false, encoding: .utf8)
    #expect(await readiness().json == ["status": "ok"])
    #expect(said.last == "the file of keys was read again: \(guarded.keyFile)")
  }

  @Test("one that is removed is said, and no key is valid until it is there again")
  func removed() async throws {
    let kept = folder.path("kept")
    try FileManager.default.moveItem(atPath: guarded.keyFile, toPath: kept)
    // Said by whoever asks first, also without a key.
    #expect(await readiness().json["keys"]?.string?.contains("every key is refused") == true)
    #expect(said.count == 1)
    #expect(await status() == 401)
    try FileManager.default.moveItem(atPath: kept, toPath: guarded.keyFile)
    #expect(await status() == 200)
    #expect(said.count == 2)
  }

  @Test("one that others can read is said")
  func permissions() async throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: guarded.keyFile)
    #expect(await status() == 200)
    #expect(said.first?.contains("others than its owner have access") == true)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: guarded.keyFile)
    #expect(await readiness().json == ["status": "ok"])
  }
}
