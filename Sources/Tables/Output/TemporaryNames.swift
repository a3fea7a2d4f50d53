import Platform

/// The names of the temporary files and folders of one destination: `.NAME.PID.ATTEMPT.tmp` beside it.
struct TemporaryNames {
  private let directory: String
  private let stem: String

  init(beside destination: String) {
    let (directory, name) = AtomicFile.Target.split(destination)
    self.directory = directory
    // Short enough for any file system that accepts the name itself.
    stem = ".\(Self.prefix(name, bytes: 200))."
  }

  /// Returns the path of an attempt of this process.
  func path(_ attempt: Int) -> String { "\(directory)/\(stem)\(getpid()).\(attempt).tmp" }

  /// The paths beside the destination that have the form of these names.
  var found: [String] {
    FileCalls.names(in: directory).filter(isOurs).map { "\(directory)/\($0)" }
  }

  /// Returns whether a name has the form of those of ``path(_:)``.
  private func isOurs(_ name: String) -> Bool {
    guard name.hasPrefix(stem), name.hasSuffix(".tmp") else { return false }
    let numbers = name.dropFirst(stem.count).dropLast(4)
      .split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 2
      && numbers.allSatisfy { number in
        !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  private static func prefix(_ name: String, bytes: Int) -> String {
    var room = bytes
    return String(
      name.prefix {
        room -= $0.utf8.count
        return room >= 0
      })
  }
}
