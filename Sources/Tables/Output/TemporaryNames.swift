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

  /// Creates a file or folder and locks it, so that no other program takes it for an abandoned one.
  ///
  /// - Parameter create: Creates and opens it; fails with `EEXIST` if there is something else at the path.
  /// - Returns: Its descriptor and path.
  /// - Throws: ``SystemError`` if it cannot be created.
  func make(
    _ create: (String) throws(SystemError) -> Int32
  ) throws(SystemError) -> (descriptor: Int32, path: String) {
    for attempt in 0..<1_000 {
      let path = path(attempt)
      do throws(SystemError) {
        let descriptor = try create(path)
        FileCalls.lock(descriptor)
        // Between the two calls another program may have taken it for an abandoned one.
        if FileCalls.isFile(descriptor, at: path) { return (descriptor, path) }
        try? FileCalls.close(descriptor)
      } catch  where error.number == EEXIST {
        // Another one that is being written at this moment, or one that may not be removed.
        continue
      }
    }
    throw SystemError(number: EEXIST)
  }

  /// Removes what no process has locked.
  ///
  /// - Parameters:
  ///   - open: Opens what is at a path, if it is the current user's.
  ///   - remove: Removes it.
  func removeAbandoned(_ open: (String) -> Int32?, _ remove: (String) -> Void) {
    for path in found {
      guard let descriptor = open(path) else { continue }
      defer { try? FileCalls.close(descriptor) }
      // The path leads to another file if the writer has renamed this one.
      if FileCalls.lockIfFree(descriptor), FileCalls.isFile(descriptor, at: path) { remove(path) }
    }
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
