/// The beginning of a page: the title, and what is wrong with the whole log.
struct PageHeader {
  let book: Book

  var html: HTML {
    HTML(.header, [.class: "top"]) {
      HTML(.h1) { book.title }
      PageAnswer(book.chapters.isEmpty ? book.answer : book.alerts, isLead: true).html
    }
  }
}

/// The facts about a log: its events, times and numbers of names.
struct PageFacts {
  let book: Book

  var html: HTML {
    guard !book.facts.isEmpty else { return HTML() }
    return HTML(.dl, [.class: "facts"]) {
      for fact in book.facts {
        HTML(.div) {
          HTML(.dt) { fact.name }
          HTML(.dd) { fact.value }
        }
      }
    }
  }
}

/// The answer of a log, an experiment or a report: the sentences of an answer, each a paragraph.
struct PageAnswer {
  private let sentences: [String]
  private let isLead: Bool

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - sentences: The sentences; without one the answer is empty.
  ///   - isLead: Whether the answer is that of the whole page.
  init(_ sentences: [String], isLead: Bool = false) {
    self.sentences = sentences
    self.isLead = isLead
  }

  var html: HTML {
    guard !sentences.isEmpty else { return HTML() }
    return HTML(.div, [.class: isLead ? "answer lead" : "answer"]) {
      for sentence in sentences { HTML(.p) { Self.marked(sentence) } }
    }
  }

  /// Returns a sentence with what stands between backticks, such as a command, as code.
  private static func marked(_ sentence: String) -> HTML {
    let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count > 2, parts.count % 2 == 1 else { return HTML(sentence: sentence) }
    var marked = HTML()
    for (index, part) in parts.enumerated() {
      marked.append(
        index % 2 == 0 ? HTML(sentence: String(part)) : HTML(.code) { HTML(text: String(part)) })
    }
    return marked
  }
}
