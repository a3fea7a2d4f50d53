internal import Tables

/// The experiments of a page: of a few the card of each, of many a list with the first sentence of each; all else about
/// an experiment is folded.
struct PageExperiments {
  let outline: PageOutline

  var html: HTML {
    if outline.experiments.isEmpty { return HTML() }
    var all = outline.isLong ? contents : HTML()
    for experiment in outline.experiments { all.append(chapter(experiment)) }
    return all
  }

  /// One line for each experiment: its name, which leads to its chapter, and its first sentence.
  private var contents: HTML {
    HTML(.section, [.id: PageOutline.contents, .class: "part"]) {
      HTML(.h2) { "Experiments" }
      HTML(.div, [.class: "verdicts"]) {
        for experiment in outline.experiments {
          HTML(.div, [.class: "verdict"]) {
            HTML(.h3) {
              HTML(.a, [.href: "#\(experiment.anchor)"]) { experiment.chapter.experiment }
            }
            PageAnswer(experiment.chapter.headlines).html
          }
        }
      }
    }
  }

  /// An element that closes and opens; find-in-page opens it, and print shows it open.
  ///
  /// Its content is in `noscript`, which a browser with scripts takes for a text, so that a page opens at once; the
  /// script then makes elements of it. A browser without scripts does so itself.
  private func chapter(_ experiment: PageOutline.Experiment) -> HTML {
    let (name, anchor) = (experiment.chapter.experiment, experiment.anchor)
    guard outline.isLong else {
      return HTML(.section, [.id: anchor, .class: "part chapter", .tabindex: "-1"]) {
        HTML(.h2) { name }
        cards(experiment)
        HTML(.details, [.part: "chapter"]) {
          HTML(.summary) { "All reports of \(name)" }
          HTML(noscript: reports(experiment))
        }
      }
    }
    var folded = cards(experiment)
    folded.append(reports(experiment))
    return HTML(.section, [.class: "part chapter"]) {
      HTML(.details, [.id: anchor, .part: "chapter"]) {
        HTML(.summary) { HTML(.h2) { name } }
        HTML(noscript: folded)
      }
    }
  }

  private func cards(_ experiment: PageOutline.Experiment) -> HTML {
    let chapter = experiment.chapter
    var all = HTML()
    for (index, card) in chapter.cards.enumerated() {
      if chapter.cards.count > 1 { all.append(HTML(.h3) { card.title }) }
      all.append(PageCard(card, at: "\(experiment.anchor)--card\(index + 1)").html)
    }
    return chapter.cards.isEmpty ? PageAnswer(chapter.answer).html : all
  }

  private func reports(_ experiment: PageOutline.Experiment) -> HTML {
    var all = HTML()
    for part in experiment.parts {
      let section = PageSection(
        part, experiment: experiment.chapter.experiment, said: experiment.chapter.headlines)
      all.append(
        HTML(.section, [.id: part.anchor, .class: "report"]) {
          HTML(.h3) { part.section.title }
          section.html
        })
    }
    return all
  }
}
