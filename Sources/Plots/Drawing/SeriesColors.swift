/// The colours of series that are known by a name: a variant called `green` that is drawn orange, beside another that
/// is green, would be taken for the other.
public enum SeriesColors {
  /// The colours of series for a word.
  private struct Word {
    /// The colours of that name, the best first; empty where there is none.
    var own: [Int] = []
    /// Further colours that people could take for it, on a light or on a dark ground.
    var alike: [Int] = []
  }

  private static let words: [String: Word] = [
    "blue": Word(own: [0], alike: [5]), "navy": Word(own: [0], alike: [5]),
    "sky": Word(own: [5], alike: [0]), "azure": Word(own: [5], alike: [0]),
    "cyan": Word(alike: [2, 5]), "orange": Word(own: [1]), "red": Word(own: [1]),
    "green": Word(own: [2]), "teal": Word(own: [2]), "turquoise": Word(own: [2]),
    "purple": Word(own: [3]), "violet": Word(own: [3]), "magenta": Word(own: [3]),
    "pink": Word(own: [3]), "yellow": Word(own: [4]), "gold": Word(own: [4]),
    "olive": Word(own: [4]), "brown": Word(own: [7], alike: [4]), "beige": Word(own: [7]),
    "black": Word(own: [6]), "white": Word(alike: [6]), "gray": Word(alike: [6, 7]),
    "grey": Word(alike: [6, 7]),
  ]

  /// Returns the index of each name's series. A name with the word of one colour, such as `green`, `Dark blue` or
  /// `#00ff00`, gets the colour of that name; no other name gets a colour that could be taken for it, as long as there
  /// are others. All other names get the colours that are left, in their order.
  ///
  /// - Parameter names: The names, each once.
  /// - Returns: An index for each of them; no two are equal.
  public static func series(of names: [String]) -> [Int] {
    let found = names.map(word)
    var result = [Int?](repeating: nil, count: names.count)
    var taken: Set<Int> = []
    // A plain word comes before one among others, as in "dark green"; red has only the colour of orange.
    let order = names.indices.sorted { a, b in
      (rank(names[a], found[a]), a) < (rank(names[b], found[b]), b)
    }
    for index in order {
      guard let color = found[index]?.word.own.first else { continue }
      if taken.insert(color).inserted { result[index] = color }
    }
    let reserved = Set(found.compactMap(\.?.word).flatMap { $0.own + $0.alike })
    let all = Array(0..<PlotTheme.seriesCount)
    let free = all.filter { !reserved.contains($0) }
    return result.map { $0 ?? next(among: free.isEmpty ? all : free, &taken) }
  }

  private static func rank(_ name: String, _ found: (name: String, word: Word)?) -> Int {
    (name.lowercased() == found?.name ? 0 : 2) + (found?.name == "red" ? 1 : 0)
  }

  /// Returns the first series that has one of the colours and is not taken, and takes it: colours repeat with other
  /// dashes.
  private static func next(among colors: [Int], _ taken: inout Set<Int>) -> Int {
    var cycle = 0
    while true {
      for color in colors where taken.insert(cycle + color).inserted { return cycle + color }
      cycle += PlotTheme.seriesCount
    }
  }

  /// Returns the one word of a colour in a name; nil without one or with several.
  private static func word(_ name: String) -> (name: String, word: Word)? {
    if let hue = hexadecimal(name), let word = words[hue] { return (hue, word) }
    let parts = name.lowercased().split { !$0.isLetter }.map(String.init)
    let colors = Set(parts.filter { words[$0] != nil })
    guard colors.count == 1, let color = colors.first, let word = words[color] else { return nil }
    if color == "blue", parts.contains("light") || parts.contains("bright") {
      return (color, Word(own: [5], alike: [0]))
    }
    return (color, word)
  }

  /// Returns the word for a colour such as `#00ff00` or `#0f0`; nil for any other name.
  private static func hexadecimal(_ name: String) -> String? {
    guard name.hasPrefix("#"), name.count == 4 || name.count == 7,
      let number = Int(name.dropFirst(), radix: 16), number >= 0
    else { return nil }
    let isShort = name.count == 4
    let parts = (isShort ? [8, 4, 0] : [16, 8, 0]).map { shift in
      Double(number >> shift & (isShort ? 15 : 255)) / (isShort ? 15 : 255)
    }
    let (most, least) = (parts.max() ?? 0, parts.min() ?? 0)
    guard most - least > 0.15 else { return most < 0.3 ? "black" : least > 0.85 ? "white" : "gray" }
    let (red, green, blue) = (parts[0], parts[1], parts[2])
    let sixth =
      most == red
      ? (green - blue) / (most - least)
      : most == green ? 2 + (blue - red) / (most - least) : 4 + (red - green) / (most - least)
    let hue = sixth < 0 ? 60 * sixth + 360 : 60 * sixth
    let bounds: [(Double, String)] = [
      (15, "red"), (45, "orange"), (70, "yellow"), (165, "green"), (195, "cyan"), (255, "blue"),
      (345, "purple"), (361, "red"),
    ]
    return bounds.first { hue < $0.0 }?.1
  }
}
