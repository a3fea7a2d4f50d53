import Platform

/// A byte sink for standard output or another open descriptor.
///
/// Partial writes are repeated until all bytes are written. The caller ignores SIGPIPE; a reader that has gone is
/// then an ``OutputError`` with ``OutputError/Code/brokenPipe``.
package final class StandardOutput: ByteSink {
  private let descriptor: Int32
  private let name: String

  /// Creates a sink for standard output.
  package convenience init() {
    self.init(descriptor: STDOUT_FILENO, name: "standard output")
  }

  /// Creates a sink for an open descriptor, which the caller closes.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - name: The name used in messages.
  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Writes all bytes.
  ///
  /// - Throws: ``OutputError`` with ``OutputError/Code/ioError`` or
  ///   ``OutputError/Code/brokenPipe``.
  package func append(_ bytes: [UInt8]) throws(OutputError) {
    do throws(SystemError) {
      try FileCalls.writeAll(bytes[...], to: descriptor)
    } catch {
      throw .failed(name, error)
    }
  }
}
