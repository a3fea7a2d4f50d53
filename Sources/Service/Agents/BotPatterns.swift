internal import Specifications

/// The patterns of user agents that are programs: nothing is recorded for them.
enum BotPatterns {
  /// The words of crawlers, previews and monitors, in lowercase.
  private static let words = [
    "crawler", "spider", "slurp", "crawling", "facebookexternalhit", "mediapartners-google",
    "apis-google", "feedfetcher", "headlesschrome", "phantomjs", "pingdom", "uptimerobot",
    "lighthouse", "ia_archiver", "bingpreview", "googleother", "google-inspectiontool",
    "facebookcatalog", "whatsapp", "embedly", "quora link preview", "nuzzel", "outbrain",
    "ahrefs", "semrush", "dotbot", "statuscake",
  ]

  /// Returns whether a user agent is that of a program: it has one of the words, or a word that ends with `bot`.
  static func matches(_ userAgent: String) -> Bool {
    let text = userAgent.lowercased()
    return endsAWordWithBot(Array(text.utf8)) || words.contains { text.contains($0) }
  }

  private static func endsAWordWithBot(_ text: [UInt8]) -> Bool {
    let bot = Array("bot".utf8)
    guard text.count >= bot.count else { return false }
    for start in 0...(text.count - bot.count)
    where text[start..<start + bot.count].elementsEqual(bot) {
      let next = start + bot.count
      if next < text.count, text[next].isASCIILetter { continue }
      // "CUBOT" is a brand of phones.
      if start >= 2, text[start - 2..<start].elementsEqual("cu".utf8) { continue }
      return true
    }
    return false
  }
}
