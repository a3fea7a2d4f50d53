import Glibc

/// Standard output, or another open descriptor, as a sink.
///
/// All bytes are written at once, however many pieces the system takes them in. The caller ignores
/// SIGPIPE; a reader that has gone is then an ``OutputError`` with
/// ``OutputError/Code/brokenPipe``.
public final class StandardOutput: ByteSink {
  private let descriptor: Int32
  private let name: String

  /// Makes a sink of standard output.
  public convenience init() {
    self.init(descriptor: STDOUT_FILENO, name: "standard output")
  }

  /// Makes a sink of an open descriptor, which stays the caller's to close.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - name: What messages call it.
  public init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Writes all the bytes.
  ///
  /// - Throws: ``OutputError`` with ``OutputError/Code/ioError`` or
  ///   ``OutputError/Code/brokenPipe``.
  public func append(_ bytes: [UInt8]) throws(OutputError) {
    do throws(SystemError) {
      try FileCalls.writeAll(bytes, to: descriptor)
    } catch {
      throw .failed(name, error)
    }
  }
}
