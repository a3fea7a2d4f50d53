public import Events
internal import FoundationEssentials
import Specifications

/// An error in reading a property list.
public struct PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The key path of the value, such as `search.Variants.0`; empty for the whole list.
  public var path: String = ""
  /// The problem and how to fix it, with the line where known.
  public var reason: String

  /// The path and the reason.
  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

extension JSONValue {
  /// Reads a property list, XML in UTF-8 or binary.
  ///
  /// Dictionaries become objects, data becomes text in base64, and a date ISO 8601 text in UTC. Booleans
  /// remain Booleans, and numbers never become Booleans.
  ///
  /// - Throws: ``PropertyListError`` when the bytes are not a property list, are nested more than 64 deep, or
  ///   contain a number that is not finite or an invalid date.
  public init(propertyList bytes: [UInt8]) throws(PropertyListError) {
    if bytes.starts(with: "bplist".utf8) {
      self = try Self.binary(bytes)
      return
    }
    try PropertyListText(bytes).check()
    do {
      var format = PropertyListDecoder.PropertyListFormat.xml
      self = try PropertyListDecoder().decode(PropertyListValue.self, from: Data(bytes), format: &format).json
    } catch let error as PropertyListError {
      throw error
    } catch let error as DecodingError {
      throw PropertyListError(decoding: error)
    } catch {
      throw PropertyListError(reason: "\(error)")
    }
  }

  private static func binary(_ bytes: [UInt8]) throws(PropertyListError) -> JSONValue {
    guard bytes.starts(with: "bplist00".utf8) else {
      throw PropertyListError(reason: "the binary property list is of another version than 00")
    }
    var list = try BinaryPropertyList(bytes)
    return try list.value()
  }

  /// A number, which must be finite.
  static func finite(_ number: Double, at path: [String]) throws(PropertyListError) -> JSONValue {
    guard number.isFinite else { throw .refusal("is not finite; write a number", at: path) }
    return .number(number)
  }

  /// A date as text in ISO 8601 format.
  static func time(secondsSince2001 seconds: Double, at path: [String]) throws(PropertyListError) -> JSONValue {
    let micros = Int64(exactly: ((seconds + Date.timeIntervalBetween1970AndReferenceDate) * 1e6).rounded())
    guard let time = micros.map(Timestamp.init(microseconds:)), time.isWritable else {
      throw .refusal("is a date outside the years 1 to 9999", at: path)
    }
    return .string(time.description)
  }
}

extension JSONValue {
  /// Bytes as text.
  static func base64(_ bytes: some Collection<UInt8>) -> JSONValue { .string(Data(bytes).base64EncodedString()) }
}

extension PropertyListError {
  static func refusal(_ reason: String, at path: [String]) -> PropertyListError {
    PropertyListError(path: path.joined(separator: "."), reason: reason)
  }

  /// Refuses a value that is nested too deep.
  static func check(depth: Int, at path: [String]) throws(PropertyListError) {
    guard depth <= PropertyListText.deepest else {
      throw refusal(
        "it is nested more than \(PropertyListText.deepest) deep; make it flatter", at: Array(path.prefix(8)))
    }
  }

  fileprivate init(decoding error: DecodingError) {
    let context: DecodingError.Context? =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        context
      @unknown default: nil
      }
    // Safety: the decoder made the error for this call; nobody else has it.
    let inner =
      unsafe (context?.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
    self.init(
      path: Self.path(context?.codingPath ?? []).joined(separator: "."),
      reason: inner ?? context?.debugDescription ?? "\(error)")
  }

  fileprivate static func path(_ keys: [any CodingKey]) -> [String] {
    keys.map { $0.intValue.map(String.init) ?? $0.stringValue }
  }
}

/// Checks performed before the decoder is trusted with the bytes: it takes one stack frame for each level of XML, and
/// reads anything that is not XML as text in the oldest format.
private struct PropertyListText {
  static let deepest = 64
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func check() throws(PropertyListError) {
    let text = bytes.starts(with: ByteOrderMark.utf8) ? bytes[3...] : bytes[...]
    let first = text.first { !" \t\r\n".utf8.contains($0) }
    // The decoder traps on some bytes that are not UTF-8.
    guard first == UInt8(ascii: "<"), !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
      throw PropertyListError(
        reason:
          "it is no property list; give XML in UTF-8 that begins with <plist>, or a binary one")
    }
    try checkDepth()
  }

  /// Checks the nesting depth by the tags of collections, skipping comments, processing instructions and
  /// CDATA sections.
  private func checkDepth() throws(PropertyListError) {
    var (depth, line, index) = (0, 1, 0)
    var tagEnd = -1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      if let end = endOfAside(at: index) {
        line += bytes[index..<end].count { $0 == UInt8(ascii: "\n") }
        index = end
        continue
      }
      if has("</array", at: index) || has("</dict", at: index) { depth = max(0, depth - 1) }
      if has("<array", at: index) || has("<dict", at: index), !isClosedAtOnce(at: index, &tagEnd) {
        depth += 1
      }
      guard depth <= Self.deepest else {
        throw PropertyListError(
          reason: "line \(line) is nested more than \(Self.deepest) deep; make it flatter")
      }
      index += 1
    }
  }

  private func endOfAside(at index: Int) -> Int? {
    for (start, end) in [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")]
    where has(start, at: index) {
      var place = index + start.utf8.count
      while place < bytes.count, !has(end, at: place) { place += 1 }
      return min(bytes.count, place + end.utf8.count)
    }
    return nil
  }

  /// Returns whether the tag is self-closing. The end found last is kept, so that tags without an end do not
  /// cause the rest of the bytes to be searched again for each of them.
  private func isClosedAtOnce(at index: Int, _ end: inout Int) -> Bool {
    if end < index { end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count }
    return end < bytes.count && bytes[end - 1] == UInt8(ascii: "/")
  }

  private func has(_ text: String, at index: Int) -> Bool {
    bytes[index...].starts(with: text.utf8)
  }
}

/// A value of a property list.
private struct PropertyListValue: Decodable {
  let json: JSONValue

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      var members: [JSONObject.Member] = []
      for key in container.allKeys {
        let value = try container.decode(Self.self, forKey: key).json
        members.append(JSONObject.Member(name: key.stringValue, value: value))
      }
      json = .object(JSONObject(members))
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !container.isAtEnd { values.append(try container.decode(Self.self).json) }
      json = .array(values)
    } else {
      json = try Self.plain(decoder.singleValueContainer(), at: PropertyListError.path(decoder.codingPath))
    }
  }

  /// The decoder is strict: it decodes a Boolean only from `<true/>` and `<false/>`, and a number only from
  /// numbers, so trying one type after the other tells them apart.
  private static func plain(
    _ container: any SingleValueDecodingContainer, at path: [String]
  ) throws -> JSONValue {
    if let text = try? container.decode(String.self) { return .string(text) }
    if let flag = try? container.decode(Bool.self) { return .boolean(flag) }
    if let integer = try? container.decode(Int64.self) { return .integer(integer) }
    if let number = try? container.decode(Double.self) { return try .finite(number, at: path) }
    if let date = try? container.decode(Date.self) {
      return try .time(secondsSince2001: date.timeIntervalSinceReferenceDate, at: path)
    }
    if let data = try? container.decode(Data.self) { return .base64(data) }
    if container.decodeNil() { return .null }
    throw PropertyListError.refusal(unreadable(container), at: path)
  }

  /// Returns the decoder's message about a value of no known type.
  private static func unreadable(_ container: any SingleValueDecodingContainer) -> String {
    do {
      _ = try container.decode(Int64.self)
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {}
    do {
      _ = try container.decode(Date.self)
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {}
    return "is no text, number, truth value, date, data, list or dictionary"
  }
}
