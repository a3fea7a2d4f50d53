/// What programs on Windows write before a text.
package enum ByteOrderMark {
  /// The mark in UTF-8.
  package static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
