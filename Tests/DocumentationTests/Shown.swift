import Foundation
import TestSupport
import Testing

/// What an example printed, in order.
final class Shown {
  private(set) var lines: [String] = []

  func print(_ items: [Any]) {
    lines.append(items.map { String(describing: $0) }.joined(separator: " "))
  }
}

/// The repository's data, as examples name it.
func dataset(_ name: String) -> String {
  URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("datasets").appendingPathComponent(name)
    .path
}
