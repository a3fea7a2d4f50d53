/// The requests of a load generator.
struct LoadPlan {
  /// The number of connections, each with at most one request at a time.
  var connections: Int
  /// The number of requests.
  var requests: Int
  /// The number of requests per second; nil to send the next one as soon as a connection is free.
  var rate: Double?
  /// Returns the bytes of a request by its number.
  var request: (Int) -> [UInt8]

  /// Returns a GET request.
  static func get(_ target: String) -> [UInt8] {
    Array("GET \(target) HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
  }

  /// Returns a POST request.
  static func post(_ target: String, type: String, body: [UInt8]) -> [UInt8] {
    let head = ["POST \(target) HTTP/1.1", "host: localhost", "content-type: \(type)"]
    return Array((head + ["content-length: \(body.count)", "", ""]).joined(separator: "\r\n").utf8) + body
  }
}

/// The result of a load.
struct LoadResult {
  /// The wall time in seconds, from the first request to the last response.
  var seconds = 0.0
  /// The time of each response in seconds, ascending; with a rate, from the moment at which the request was due, so
  /// that a server that stalls is charged for the requests that had to wait.
  var latencies: [Double] = []
  /// The number of responses by status.
  var statuses: [Int: Int] = [:]

  /// Returns the latency below which the share of responses is.
  func quantile(_ share: Double) -> Double {
    guard !latencies.isEmpty else { return 0 }
    return latencies[min(latencies.count - 1, Int(share * Double(latencies.count)))]
  }
}
