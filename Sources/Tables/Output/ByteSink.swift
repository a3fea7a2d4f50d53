/// Where a table goes when it is too large to be held as bytes: a file, standard output.
public protocol ByteSink: AnyObject {
  /// Takes all the bytes, in order.
  ///
  /// - Throws: ``OutputError`` when they could not all be written.
  func append(_ bytes: [UInt8]) throws(OutputError)
}
