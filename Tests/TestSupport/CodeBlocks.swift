/// The fenced blocks of code of a Markdown text in a language, or in none, each as its lines.
public func codeBlocks(_ markdown: String, _ language: String = "") -> [[String]] {
  var blocks: [[String]] = []
  var open: Substring?
  for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.hasPrefix("```") {
      if open == nil, line == "```" + language { blocks.append([]) }
      open = open == nil ? line.dropFirst(3) : nil
    } else if let fence = open, fence == language {
      blocks[blocks.count - 1].append(String(line))
    }
  }
  return blocks
}
