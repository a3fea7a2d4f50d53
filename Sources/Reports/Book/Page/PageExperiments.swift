/// The experiments of a page: a list with what each says, then a chapter for each.
struct PageExperiments {
  let outline: PageOutline

  var html: HTML {
    if outline.experiments.isEmpty { return HTML() }
    var all = contents
    for (index, experiment) in outline.experiments.enumerated() {
      all.append(chapter(experiment, isOpen: index < outline.openChapters))
    }
    return all
  }

  /// One line for each experiment: its name, which leads to its chapter, and what it says.
  private var contents: HTML {
    HTML(.section, [.id: PageOutline.contents, .class: "part"]) {
      HTML(.h2) { "Experiments" }
      HTML(.div, [.class: "verdicts"]) {
        for experiment in outline.experiments {
          HTML(.div, [.class: "verdict"]) {
            HTML(.h3) {
              HTML(.a, [.href: "#\(experiment.anchor)"]) { experiment.chapter.experiment }
            }
            PageAnswer(experiment.chapter.answer).html
          }
        }
      }
    }
  }

  /// An element that closes and opens; find-in-page opens it, and print shows it open.
  ///
  /// Closed parts are in `noscript`, which a browser with scripts takes for a text, so that a page of many chapters
  /// opens at once; the script then makes elements of it. A browser without scripts does so itself.
  private func chapter(_ experiment: PageOutline.Experiment, isOpen: Bool) -> HTML {
    HTML(.section, [.class: "part chapter"]) {
      HTML(.details, [.id: experiment.anchor, .open: isOpen ? "" : nil, .part: "chapter"]) {
        HTML(.summary) { HTML(.h2) { experiment.chapter.experiment } }
        if isOpen {
          reports(experiment)
        } else {
          HTML(noscript: reports(experiment))
        }
      }
    }
  }

  private func reports(_ experiment: PageOutline.Experiment) -> HTML {
    var all = PageAnswer(experiment.chapter.answer).html
    for part in experiment.parts {
      let section = PageSection(
        part, experiment: experiment.chapter.experiment, said: experiment.chapter.answer)
      all.append(
        HTML(.section, [.id: part.anchor, .class: "report"]) {
          HTML(.h3) { part.section.title }
          section.html
        })
    }
    return all
  }
}
