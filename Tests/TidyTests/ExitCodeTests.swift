import Testing

/// An error says with which code it ends a command, so that the commands need not know it.
@Suite("Exit codes")
struct ExitCodeTests {
  /// The errors that none of the commands sees: they are handled, or wrapped by an error that has a code.
  private static let handled: Set<String> = [
    "ArrowError", "ColumnError", "ConfigurationFileError", "EventProblem", "FingerprintMapError",
    "HTTPError", "JSONLineError", "JSONParseError", "NoDecisionsError", "NotRecorded",
    "PropertyListError", "Rejection", "ServiceProblem", "SnapshotProblem", "StateError",
    "SystemError", "YAMLError", "ZlibError",
  ]

  @Test("every error that a module shows to others has an exit code, or is handled")
  func errors() throws {
    var (errors, coded): (Set<String>, Set<String>) = ([], [])
    for source in try SourceFile.all(in: "Sources") where !source.target.hasPrefix("bandolier") {
      // Searched first: expressions take long for so many lines.
      for line in source.lines where line.contains("Error") || line.contains("ExitCoded") {
        if let match = line.firstMatch(of: /^(public|package) (struct|enum) (\w+): .*\bError\b/) {
          errors.insert(String(match.output.3))
        }
        if let match = line.firstMatch(of: /(\w+): ExitCoded\b/) {
          coded.insert(String(match.output.1))
        }
      }
    }
    #expect(errors.count > 25)
    let missing = errors.subtracting(coded).subtracting(Self.handled)
    #expect(missing.isEmpty, "make them ExitCoded: \(missing.sorted())")
    #expect(coded.isDisjoint(with: Self.handled))
  }
}
