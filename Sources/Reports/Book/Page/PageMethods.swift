internal import Tables

/// The definitions behind the numbers of a page: of each report its question, inputs, formulas and sources, then the
/// columns of its tables.
struct PageMethods {
  let book: Book

  var html: HTML {
    if book.methods.isEmpty, book.tables.isEmpty { return HTML() }
    return HTML(.section, [.class: "part overview method"]) {
      HTML(.details, [.id: PageOutline.method]) {
        HTML(.summary) { HTML(.h2) { "Method" } }
        HTML(.p, [.class: "hint"]) {
          "How every number is computed, what it is computed from, and where the rule comes from."
        }
        for (report, explanation) in book.methods { method(report, explanation) }
        for table in book.tables { columns(table) }
      }
    }
  }

  private func method(_ report: String, _ explanation: Explanation) -> HTML {
    HTML(.details) {
      HTML(.summary) { HTML(.h3) { report } }
      HTML(.p) { explanation.question }
      HTML(.dl, [.class: "definitions"]) {
        HTML(.dt) { "inputs" }
        HTML(.dd) { explanation.inputs }
        for entry in explanation.entries {
          HTML(.dt) { HTML(.code) { entry.columns } }
          HTML(.dd) {
            entry.formula
            HTML(.span, [.class: "source"]) { entry.source }
          }
        }
      }
    }
  }

  private func columns(_ table: Table) -> HTML {
    HTML(.details) {
      HTML(.summary) {
        HTML(.h3) {
          "Columns of "
          HTML(.code) { table.name }
        }
      }
      HTML(.dl, [.class: "definitions"]) {
        for column in table.columns {
          HTML(.dt) { HTML(.code) { column.name } }
          HTML(.dd) { column.description }
        }
      }
    }
  }
}
