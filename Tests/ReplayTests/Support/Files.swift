import Foundation

/// The bytes of a file.
func readFile(_ path: String) throws -> [UInt8] {
  try Array(Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Replaces the bytes of a file.
func writeFile(_ bytes: [UInt8], _ path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}
