package import Events

/// A key as its file describes it: who has it and what it permits, with the digest in place of the key.
package struct KeyRecord: Sendable {
  /// The name of the key, unique in its file.
  package var name: String
  /// The permissions of the key.
  package var scopes: Set<KeyScope>
  /// When the key was made.
  package var created: Timestamp
  /// The digest of the key.
  package var digest: KeyDigest

  /// Creates a record.
  package init(name: String, scopes: Set<KeyScope>, created: Timestamp, digest: KeyDigest) {
    self.name = name
    self.scopes = scopes
    self.created = created
    self.digest = digest
  }

  /// The names of the scopes, in the order of their declaration.
  package var scopeNames: [String] {
    KeyScope.allCases.filter(scopes.contains).map(\.rawValue)
  }

  /// The maximum length of a name.
  static let nameLimit = 64

  /// Returns why a text cannot be the name of a key; nil if it can.
  package static func problem(withName name: String) -> String? {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
    }
    guard !name.isEmpty, name.unicodeScalars.count <= nameLimit, isPlain else {
      return "the name \(name.debugDescription) must have 1 to \(nameLimit) letters, digits, "
        + "hyphens, underscores and dots"
    }
    return nil
  }
}

extension KeyRecord {
  /// Creates a record from its JSON form.
  ///
  /// - Throws: ``KeyFileError`` that says what is wrong.
  init(json: JSONValue) throws(KeyFileError) {
    guard let name = json["name"]?.string else {
      throw KeyFileError("a key has no \"name\"")
    }
    if let problem = Self.problem(withName: name) { throw KeyFileError(problem) }
    guard let digest = json["sha256"]?.string.flatMap(KeyDigest.init(hexadecimal:)) else {
      throw KeyFileError("the key \"\(name)\" has no \"sha256\" of 64 hexadecimal digits")
    }
    guard let created = json["created"]?.string.flatMap({ Timestamp(iso8601: Array($0.utf8).span) })
    else { throw KeyFileError("the key \"\(name)\" has no time \"created\"") }
    var scopes: Set<KeyScope> = []
    for text in json["scopes"]?.array ?? [] {
      guard let scope = text.string.flatMap(KeyScope.init(rawValue:)) else {
        throw KeyFileError("the key \"\(name)\" has the unknown scope \(text)")
      }
      scopes.insert(scope)
    }
    guard !scopes.isEmpty else { throw KeyFileError("the key \"\(name)\" has no \"scopes\"") }
    self.init(name: name, scopes: scopes, created: created, digest: digest)
  }

  /// The JSON form of the record.
  var json: JSONValue {
    var time: [UInt8] = []
    created.write(to: &time)
    return [
      "name": .string(name), "scopes": .array(scopeNames.map { .string($0) }),
      "created": .string(String(decoding: time, as: UTF8.self)),
      "sha256": .string(digest.hexadecimal),
    ]
  }
}
