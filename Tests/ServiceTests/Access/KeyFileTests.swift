import DecidingCore
import Events
import Foundation
import TestSupport
import Testing

@testable import Service

@Suite("Files of keys")
struct KeyFileTests {
  private let folder: TemporaryFolder
  private let time = Timestamp(microseconds: 1_767_323_045_000_000)

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("keys") }

  @Test("a key has 128 bits, and its file has the digest, the name, the scopes and the time only")
  func create() throws {
    var random = SeededGenerator(seed: 1)
    let key = try KeyFile.create("shop", [.client, .read], in: path, at: time, random: &random)
    #expect(key.count == 32 && UInt64(key.prefix(16), radix: 16) != nil)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      text == """
        {"keys":[{"created":"2026-01-02T03:04:05Z","name":"shop","scopes":["client","read"],\
        "sha256":"\(KeyDigest(of: key).hexadecimal)"}]}

        """)
    #expect(!text.contains(key))
    let second = try KeyFile.create("other", [.admin], in: path, at: time, random: &random)
    #expect(second != key)
    #expect(try KeyFile(path).keys.map(\.name) == ["shop", "other"])
  }

  @Test("the digest is the SHA-256 of the text")
  func digest() {
    #expect(
      KeyDigest(of: "abc").hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      KeyDigest(hexadecimal: KeyDigest(of: "a").hexadecimal)?.isEqual(to: .init(of: "a")) == true)
    #expect(KeyDigest(of: "a").isEqual(to: KeyDigest(of: "b")) == false)
    #expect(KeyDigest(hexadecimal: "ab") == nil)
    #expect(KeyDigest(hexadecimal: String(repeating: "g", count: 64)) == nil)
  }

  @Test("only the owner can read the file, and one that others can read is refused")
  func permissions() throws {
    var random = SeededGenerator(seed: 1)
    _ = try KeyFile.create("shop", [.client], in: path, at: time, random: &random)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let error = #expect(throws: KeyFileError.self) { try KeyFile(path) }
    #expect(
      error?.description == "\(path): others than its owner have access to it; run chmod 600 on it")
  }

  @Test("a revoked key is gone, and an unknown one is an error with the names that there are")
  func revoke() throws {
    var random = SeededGenerator(seed: 1)
    for name in ["a", "b"] {
      _ = try KeyFile.create(name, [.client], in: path, at: time, random: &random)
    }
    try KeyFile.revoke("a", in: path)
    #expect(try KeyFile(path).keys.map(\.name) == ["b"])
    let error = #expect(throws: KeyFileError.self) { try KeyFile.revoke("a", in: path) }
    #expect(error?.description == "\(path): there is no key \"a\"; its keys are: b")
    #expect(folder.files == ["keys"])
  }

  @Test("a name is used once, and has no spaces")
  func names() throws {
    var random = SeededGenerator(seed: 1)
    _ = try KeyFile.create("a", [.client], in: path, at: time, random: &random)
    for name in ["a", "", "a b", "a\n", String(repeating: "a", count: 65)] {
      #expect(throws: KeyFileError.self) {
        try KeyFile.create(name, [.client], in: path, at: time, random: &random)
      }
    }
    #expect(try KeyFile(path).keys.count == 1)
  }

  @Test(
    "a damaged file is refused with what is wrong",
    arguments: [
      ("[", "not JSON"), ("{}", "no list \"keys\""), ("{\"keys\":[{}]}", "has no \"name\""),
      ("{\"keys\":[{\"name\":\"a\"}]}", "no \"sha256\""), ("", "not JSON"),
    ])
  func damaged(text: String, reason: String) throws {
    _ = try folder.write(text, "keys")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let error = #expect(throws: KeyFileError.self) { try KeyFile(path) }
    #expect(error?.description.contains(reason) == true, "\(error.debugDescription)")
  }

  @Test("a file that does not exist is reported as missing")
  func missing() {
    let error = #expect(throws: KeyFileError.self) { try KeyFile(path) }
    #expect(error?.kind == .missing)
    #expect(throws: KeyFileError.self) { try KeyFile.revoke("a", in: path) }
    #expect(folder.files == [])
  }

  @Test("a change while another is under way is refused, and changes nothing")
  func concurrent() throws {
    var random = SeededGenerator(seed: 1)
    _ = try KeyFile.create("a", [.client], in: path, at: time, random: &random)
    _ = try folder.write("", "keys.new")
    #expect(throws: KeyFileError.self) { try KeyFile.revoke("a", in: path) }
    #expect(try KeyFile(path).keys.map(\.name) == ["a"])
  }
}
