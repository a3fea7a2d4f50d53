/// A ``Book`` as one HTML file that needs nothing else: no network, no other file, no framework.
///
/// The file begins with what each experiment came to and whether it can be trusted; all reports of each, those of the
/// whole log, and the definitions of every number are folded below. Texts of the log are escaped, a policy in the file
/// forbids every connection, and equal books give equal bytes.
package struct BookPage: Sendable {
  private let book: Book
  private let outline: PageOutline

  /// Creates the page of a book.
  package init(_ book: Book) {
    self.book = book
    outline = PageOutline(book)
  }

  /// The whole file, in UTF-8.
  package var html: String {
    "<!DOCTYPE html>\n"
      + HTML(.html, [.lang: "en"]) {
        head
        HTML(.body) {
          HTML(.a, [.class: "skip", .href: "#\(PageOutline.top)"]) { "Skip to the report" }
          PageNavigation(book: book, outline: outline).html
          HTML(.main, [.id: PageOutline.top, .tabindex: "-1"]) {
            PageHeader(book: book).html
            PageExperiments(outline: outline).html
            for part in outline.health + outline.others { overview(part) }
            PageFacts(book: book).html
            PageMethods(book: book).html
          }
          HTML(PageResource.script)
        }
      }.markup + "\n"
  }

  private var head: HTML {
    HTML(.head) {
      HTML(.meta, [.charset: "utf-8"])
      HTML(.meta, [.httpEquiv: "Content-Security-Policy", .content: PageResource.policy])
      HTML(.meta, [.name: "viewport", .content: "width=device-width, initial-scale=1"])
      HTML(.meta, [.name: "color-scheme", .content: "light dark"])
      HTML(.meta, [.name: "referrer", .content: "no-referrer"])
      HTML(.link, [.rel: "icon", .href: "data:,"])
      HTML(.title) { book.title }
      HTML(styleSheetsOf: outline.figures)
      HTML(PageResource.style)
    }
  }

  /// Returns a report of the whole log as a section of the page.
  private func overview(_ part: PageOutline.Part) -> HTML {
    HTML(.section, [.class: "part overview"]) {
      HTML(.details, [.id: part.anchor]) {
        HTML(.summary) { HTML(.h2) { part.section.title } }
        PageSection(part, experiment: nil, said: []).html
      }
      if part.section.hasChecks { PageAnswer(part.section.answer).html }
    }
  }
}
