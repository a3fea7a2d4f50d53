internal import EventLog

extension TemporaryFile {
  /// Appends values.
  ///
  /// - Throws: `LogError` if they cannot be written.
  func write<Value: BitwiseCopyable>(_ values: [Value], reporting path: String) throws(LogError) {
    // Safety: values are plain bytes without references; the copy is made before the array changes.
    let bytes = unsafe values.withUnsafeBytes { unsafe [UInt8]($0) }
    do throws(FingerprintMapError) {
      try append(bytes)
    } catch {
      throw LogError(.inputOutput, error.description, path: path)
    }
  }

  /// Appends values that this process wrote to the file from an array of them.
  ///
  /// - Throws: `LogError` if they cannot be read back.
  func read<Value: BitwiseCopyable>(
    _ count: Int, _ type: Value.Type, at offset: Int, _ bytes: inout [UInt8],
    _ body: (Value) -> Void
  ) throws {
    let stride = MemoryLayout<Value>.stride
    do {
      try read(count * stride, at: offset, into: &bytes)
    } catch {
      throw LogError(.inputOutput, error.description, path: "a temporary file")
    }
    // Safety: the bytes are those of exactly as many values, written by this process from an array of them.
    unsafe bytes.withUnsafeBytes { bytes in
      for index in 0..<count {
        body(unsafe bytes.loadUnaligned(fromByteOffset: index * stride, as: Value.self))
      }
    }
  }
}
