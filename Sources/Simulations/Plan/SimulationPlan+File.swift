internal import Platform
package import Specifications

extension SimulationPlan {
  /// The maximum size of a plan file; plans are written by hand.
  private static let mostBytes = 1 << 20

  /// Reads a plan in YAML.
  ///
  /// - Throws: ``PlanFileError`` if the file cannot be read; ``PlanError`` with the line if it is not a valid plan.
  public init(contentsOf path: String) throws {
    // Safety: the path is a terminated copy for the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw PlanFileError(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Self.mostBytes {
      // Safety: as many bytes are asked for as there is room for.
      let count = unsafe read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw PlanFileError(path, errno) }
      if count == 0 { break }
      bytes += part[..<count]
    }
    guard bytes.count <= Self.mostBytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw PlanError("\(path): no plan: it must be YAML in UTF-8, of at most 1 MiB")
    }
    try self.init(yaml: text, path: path)
  }
}

/// An error of reading the file of a plan.
package struct PlanFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whether the file does not exist.
  package let isMissing: Bool
  /// The fault and its place.
  package let description: String

  init(_ path: String, _ number: Int32) {
    isMissing = number == ENOENT
    let reason = systemMessage(number)
    description = "\(path): cannot be read: \(reason)"
  }
}

extension PlanFileError: ExitCoded {
  package var exitCode: ExitCode { isMissing ? .inputMissing : .inputOutput }
}
