import Foundation
import TestSupport

/// Small inputs.
enum Samples {
  /// JSON Lines of decisions, as the log writes them again; each number is another unit, and another id if ids
  /// are asked for.
  static func decisions(_ numbers: Range<Int>, ids: Bool = false) -> [String] {
    numbers.map { number in
      let time = Timestamps.text(seconds: number)
      let id = ids ? #""id":"e\#(number)","# : ""
      return
        #"{"type":"decision",\#(id)"time":"\#(time)","unit":"u\#(number)","experiment":"checkout","#
        + #""variant":"\#(number % 2 == 0 ? "red" : "blue")","propensity":0.5}"#
    }
  }

  /// Decisions that compress badly; with many repetitions of their noise a few dozen fill a frame of the log.
  static func heavyDecisions(
    _ count: Int, seed: UInt64, words: Int = 2, repetitions: Int = 1
  ) -> [String] {
    var random = SeededGenerator(seed: seed)
    return decisions(0..<count).map { line in
      let noise = (0..<words).map { _ in String(random.next(), radix: 36) }.joined()
      let text = String(repeating: noise, count: repetitions)
      return line.dropLast() + #","context":{"noise":"\#(text)"}}"#
    }
  }

  /// An Open Bandit CSV with a row for each (position, item, click).
  static func openBandit(_ rows: [(position: Int, item: Int, click: Int)]) -> String {
    rows.enumerated().reduce(into: ",timestamp,item_id,position,click,propensity_score\n") {
      let time = "2019-11-24 00:00:\(String(format: "%02d", $1.offset)).000000+00:00"
      let row = $1.element
      $0 += "\($1.offset),\(time),\(row.item),\(row.position),\(row.click),0.5\n"
    }
  }
}

/// Times of the samples.
enum Timestamps {
  /// As many seconds after the start of 2026.
  static func text(seconds: Int) -> String {
    let day = String(format: "%02d", 1 + seconds / 86_400)
    let hour = String(format: "%02d", seconds / 3_600 % 24)
    let minute = String(format: "%02d", seconds / 60 % 60)
    return "2026-01-\(day)T\(hour):\(minute):\(String(format: "%02d", seconds % 60))Z"
  }
}

extension Sequence<String> {
  /// The lines as a text in which each ends with a line feed.
  var text: String { reduce(into: "") { $0 += $1 + "\n" } }
}
