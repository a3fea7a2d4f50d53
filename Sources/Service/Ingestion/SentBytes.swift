internal import EventLog

/// The body of a request as it was before its content encoding.
enum SentBytes {
  /// The maximum size of a body, in bytes, after decompression.
  static let limit = 16 << 20
  /// The size of the blocks that are decompressed at once, in bytes.
  private static let blockSize = 64 << 10

  /// Returns the decoded body.
  ///
  /// - Throws: ``ServiceProblem``: 413 for a body that is too large, as soon as that is known; 415 for an unknown
  ///   content encoding; 400 for damaged bytes.
  static func decoded(_ request: ServiceRequest) throws(ServiceProblem) -> [UInt8] {
    let encoding = request.fields["content-encoding"]?.lowercased() ?? "identity"
    switch encoding {
    case "", "identity":
      guard request.body.count <= limit else { throw tooLarge }
      return request.body
    case "gzip", "x-gzip":
      return try inflated(request.body)
    default:
      throw ServiceProblem(
        415, "unsupported-encoding",
        "the content encoding \(encoding.debugDescription) is not supported; use gzip or none",
        fields: ["accept-encoding": "gzip, identity"])
    }
  }

  private static var tooLarge: ServiceProblem {
    ServiceProblem(
      413, "body-too-large",
      "the events are more than \(limit >> 20) MiB after decompression; send them in smaller batches"
    )
  }

  private static func inflated(_ bytes: [UInt8]) throws(ServiceProblem) -> [UInt8] {
    let output: [UInt8]?
    do throws(ZlibError) {
      output = try inflated(bytes, atMost: limit)
    } catch {
      throw ServiceProblem(
        400, "invalid-gzip", "the body cannot be decompressed: \(error); compress it again")
    }
    guard let output else { throw tooLarge }
    return output
  }

  /// Returns the decompressed bytes; nil as soon as they are more than the limit.
  private static func inflated(_ bytes: [UInt8], atMost limit: Int) throws(ZlibError) -> [UInt8]? {
    let inflater = try GzipInflater()
    var output: [UInt8] = []
    var block = [UInt8](repeating: 0, count: blockSize)
    var consumed = 0
    while true {
      // Safety: both buffers outlive the call, which stays within them.
      let result = unsafe bytes.withUnsafeBytes { input in
        unsafe block.withUnsafeMutableBytes { block in
          Result { () throws(ZlibError) in
            try unsafe inflater.inflate(
              UnsafeRawBufferPointer(rebasing: input[consumed...]), into: block)
          }
        }
      }
      let step = try result.get()
      consumed += step.consumed
      guard output.count + step.produced <= limit else { return nil }
      output += block[..<step.produced]
      // The trailer of a member is consumed only after all its output.
      if consumed == bytes.count || step.consumed + step.produced == 0 { break }
    }
    try inflater.finish()
    return output
  }
}
