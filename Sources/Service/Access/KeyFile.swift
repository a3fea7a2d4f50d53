package import Events
package import Specifications

/// The keys of a service, in a file that only its owner can read.
///
/// The file is a JSON object: `{"keys":[{"created":"2026-01-02T03:04:05Z","name":"shop","scopes":["client"],
/// "sha256":"…"}]}`. The keys themselves are nowhere: each is shown once, when it is made.
package struct KeyFile: Sendable {
  /// The path of the file.
  package let path: String
  /// The keys, in the order in which they were made.
  package private(set) var keys: [KeyRecord]
  /// Tells whether the file has changed since it was read.
  let stamp: FileStamp

  /// Reads a file.
  ///
  /// - Throws: ``KeyFileError`` if it cannot be read, if others than its owner have access to it, or if it is invalid.
  package init(_ path: String) throws(KeyFileError) {
    self.path = path
    do throws(KeyFileError) {
      let content = try PrivateFile.read(path)
      stamp = content.stamp
      keys = try Self.parse(content.bytes)
    } catch {
      throw error.named(path)
    }
  }

  private static func parse(_ bytes: [UInt8]) throws(KeyFileError) -> [KeyRecord] {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw KeyFileError("it is not JSON: \(error)")
    }
    guard let list = json["keys"]?.array else {
      throw KeyFileError("it has no list \"keys\"; make keys with `bandolier keys create`")
    }
    var keys: [KeyRecord] = []
    for item in list {
      let key = try KeyRecord(json: item)
      guard !keys.contains(where: { $0.name == key.name }) else {
        throw KeyFileError("two keys have the name \"\(key.name)\"")
      }
      keys.append(key)
    }
    return keys
  }

  // MARK: Changing

  /// Makes a key of 128 bits of the random generator, adds it to a file, which is created if it does not exist, and
  /// returns the key, which is stored nowhere.
  package static func create(
    _ name: String, _ scopes: Set<KeyScope>, in path: String, at time: Timestamp,
    random: inout some RandomNumberGenerator
  ) throws(KeyFileError) -> String {
    if let problem = KeyRecord.problem(withName: name) { throw KeyFileError(.usage, problem) }
    let key = newKey(&random)
    try change(path, createsFile: true) { keys throws(KeyFileError) in
      guard !keys.contains(where: { $0.name == name }) else {
        throw KeyFileError(
          .usage, "there is a key \"\(name)\"; choose another name, or revoke that key first",
          path: path)
      }
      keys.append(
        KeyRecord(name: name, scopes: scopes, created: time, digest: KeyDigest(of: key)))
    }
    return key
  }

  /// Removes a key from a file.
  package static func revoke(_ name: String, in path: String) throws(KeyFileError) {
    try change(path, createsFile: false) { keys throws(KeyFileError) in
      guard keys.contains(where: { $0.name == name }) else {
        let names = keys.map(\.name).joined(separator: ", ")
        throw KeyFileError(
          .usage,
          "there is no key \"\(name)\"; "
            + (names.isEmpty ? "the file has none" : "its keys are: \(names)"), path: path)
      }
      keys.removeAll { $0.name == name }
    }
  }

  private static func change(
    _ path: String, createsFile: Bool,
    _ body: (inout [KeyRecord]) throws(KeyFileError) -> Void
  ) throws(KeyFileError) {
    try PrivateFile.replace(path) { exists throws(KeyFileError) in
      var keys = exists || !createsFile ? try KeyFile(path).keys : []
      try body(&keys)
      var output: [UInt8] = []
      JSONValue.object(["keys": .array(keys.map(\.json))]).write(to: &output)
      return output + [UInt8(ascii: "\n")]
    }
  }

  /// Returns a key of 128 random bits, as 32 hexadecimal digits.
  private static func newKey(_ random: inout some RandomNumberGenerator) -> String {
    (0..<2).map { _ in random.next().hexadecimal }.joined()
  }
}

/// An error about a file of keys.
package struct KeyFileError: Error, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  package enum Kind: Sendable {
    /// A name or a scope that was given is not possible.
    case usage
    /// The content or the permissions of the file are not what they must be.
    case invalid
    /// The file does not exist.
    case missing
    /// The file cannot be read or written.
    case inputOutput
  }

  /// The kind of the error.
  package let kind: Kind
  /// The fault and its remedy.
  package let message: String
  /// The path of the file; nil if the error is about no file.
  package let path: String?

  init(_ kind: Kind, _ message: String, path: String? = nil) {
    self.kind = kind
    self.message = message
    self.path = path
  }

  fileprivate func named(_ path: String) -> KeyFileError {
    KeyFileError(kind, message, path: self.path ?? path)
  }

  init(_ message: String, path: String? = nil) { self.init(.invalid, message, path: path) }

  package var description: String { path.map { "\($0): \(message)" } ?? message }
}

extension KeyFileError: ExitCoded {
  package var exitCode: ExitCode {
    switch kind {
    case .usage: .usage
    case .invalid: .badData
    case .missing: .inputMissing
    case .inputOutput: .inputOutput
    }
  }
}
