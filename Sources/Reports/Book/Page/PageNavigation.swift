/// The list of the page's parts at its side, with the controls of the whole page.
struct PageNavigation {
  let book: Book
  let outline: PageOutline

  var html: HTML {
    HTML(.nav, [.class: "side", .label: "Contents"]) {
      HTML(.div, [.class: "controls", .part: "controls"]) {
        HTML(.button, [.type: "button", .part: "theme", .pressed: "false"]) { "Dark" }
        if !outline.experiments.isEmpty {
          HTML(.button, [.type: "button", .part: "open-all"]) { "Open all" }
        }
      }
      HTML(.ul) {
        if !outline.experiments.isEmpty {
          HTML(.li) {
            link(outline.isLong ? PageOutline.contents : PageOutline.top, "Experiments")
            HTML(.ul) {
              for experiment in outline.experiments {
                item(experiment.anchor, experiment.chapter.experiment)
              }
            }
          }
        }
        for part in outline.health + outline.others { item(part.anchor, part.section.title) }
        if !book.methods.isEmpty { item(PageOutline.method, "Method") }
      }
    }
  }

  private func item(_ anchor: String, _ title: String) -> HTML {
    HTML(.li) { link(anchor, title) }
  }

  private func link(_ anchor: String, _ title: String) -> HTML {
    HTML(.a, [.href: "#\(anchor)"]) { title }
  }
}
