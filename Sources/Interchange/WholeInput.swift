/// Reads small inputs as a whole, such as configurations.
package enum WholeInput {
  /// Returns the bytes of a file, or of standard input for `-`, decompressed if they are gzip.
  ///
  /// - Parameters:
  ///   - path: The path, or `-`.
  ///   - limit: The maximum number of bytes.
  ///   - waitForInput: Called with the descriptor before each read; if it returns false, reading ends with the error
  ///     `interrupted`.
  /// - Returns: The bytes.
  /// - Throws: ``ImportError`` if the input cannot be opened or read, or is larger than the limit.
  package static func bytes(
    _ path: String, limit: Int, waitForInput: @escaping @Sendable (Int32) -> Bool
  ) throws(ImportError) -> [UInt8] {
    let input = try FileInput(path: path, waitForInput: waitForInput)
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: FileInput.blockLength(input.totalBytes))
    while true {
      // Safety: the pointer does not leave the closure, and the call writes no more than the block holds.
      let outcome: Result<Int, ImportError> = unsafe block.withUnsafeMutableBytes { buffer in
        do throws(ImportError) {
          return .success(try unsafe input.read(into: buffer))
        } catch {
          return .failure(error)
        }
      }
      let count = try outcome.get()
      if count == 0 { return bytes }
      bytes += block[..<count]
      if count == block.count, block.count < FileInput.blockSize {
        block = [UInt8](repeating: 0, count: FileInput.blockSize)
      }
      guard bytes.count <= limit else {
        throw ImportError(
          .badData,
          "\(input.name): it has more than \(limit) bytes, the maximum here; check the path"
        )
      }
    }
  }
}
