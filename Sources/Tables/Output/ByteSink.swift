/// A destination for tables too large to be held in memory: a file, standard output.
public protocol ByteSink: AnyObject {
  /// Writes all bytes, in order.
  ///
  /// - Throws: ``OutputError`` if they could not all be written.
  func append(_ bytes: [UInt8]) throws(OutputError)
}
