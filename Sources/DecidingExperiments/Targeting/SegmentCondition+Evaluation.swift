internal import DecidingCore
internal import Events

extension VisitorSegment {
  /// Returns whether a visitor with the given facts matches the segment. An exclusive campaign does not count
  /// the experiment or flag being evaluated.
  func isMet(by facts: VisitorFacts, asking experiment: ExperimentID? = nil) -> Bool {
    isMet { $0.isMet(by: facts, asking: experiment) }
  }
}

extension SegmentCondition {
  /// Returns whether the visitor meets the condition.
  func isMet(by facts: VisitorFacts, asking experiment: ExperimentID?) -> Bool {
    if case .unknown = test { return true }
    return test.isMet(by: facts, asking: experiment) == include
  }
}

extension SegmentCondition.Test {
  fileprivate func isMet(by facts: VisitorFacts, asking experiment: ExperimentID?) -> Bool {
    let known = facts.knowledge
    switch self {
    case .custom(let key, let test): return test.isMet(by: known.custom[TextKey(key)])
    case .conversion(let goal):
      return goal.map { known.conversions[$0] != nil } ?? !known.conversions.isEmpty
    case .interest(let index): return known.interests[TextKey(String(index))] != nil
    case .browser(let name, let version):
      return Self.isMet(known.browser?.name, known.browser?.version, name, version)
    case .system(let name, let version):
      return Self.isMet(known.system?.name, known.system?.version, name, version)
    case .applicationVersion(let version): return version.isMet(by: known.applicationVersion)
    case .device(let device): return known.device == device
    case .place(let country, let region, let city):
      guard let place = known.place else { return false }
      return (country.map { $0 == place.country } ?? true)
        && (region.map { $0 == place.region } ?? true) && (city.map { $0 == place.city } ?? true)
    case .cookie(let name, let test):
      return test.isMet(by: known.cookies[TextKey(name)].map { [$0] })
    case .userID(let test): return test.isMet(by: [facts.userID])
    case .segment(_, let segment): return segment.isMet(by: facts, asking: experiment)
    case .likelihoodToConvert(let goal, let comparison, let value):
      return comparison.holds(known.likelihoods[TextKey(goal?.rawValue ?? "")], value)
    case .pageAddress, .pageTitle, .previousPage, .pageViews: return isMet(byPages: known)
    case .visits, .visitsToday, .isNewVisitor, .sinceFirstVisit, .sinceLastVisit:
      return isMet(byVisits: facts.visits, now: facts.now)
    case .exclusiveCampaign, .flag, .experiment:
      return isMet(byAssignments: facts, asking: experiment)
    case .unknown: return true
    }
  }

  private static func isMet(
    _ known: String?, _ version: String?, _ name: String, _ test: SegmentCondition.VersionTest?
  ) -> Bool {
    guard let known, known.lowercased().hasSameBytes(as: name.lowercased()) else { return false }
    return test?.isMet(by: version) ?? true
  }

  private func isMet(byPages known: VisitorKnowledge) -> Bool {
    switch self {
    case .pageAddress(let test): return test.isMet(by: known.currentPage.map { [$0] })
    case .previousPage(let test): return test.isMet(by: known.previousPage.map { [$0] })
    case .pageTitle(let test):
      let title = known.currentPage.flatMap { known.pages[TextKey($0)]?.title }
      return test.isMet(by: title.map { [$0] })
    case .pageViews(let address, let comparison, let count):
      let views =
        address.map { known.pages[TextKey($0)]?.views ?? 0 }
        ?? known.pages.values.reduce(0) { $0 + $1.views }
      return comparison.holds(views, count)
    default: return false
    }
  }

  private func isMet(byVisits visits: VisitHistory, now: Timestamp) -> Bool {
    switch self {
    case .visits(let comparison, let count): return comparison.holds(visits.count, count)
    case .visitsToday(let comparison, let count, let offset):
      let today = visits.count(onDayOf: now, offsetSeconds: Int64(clamping: offset) &* 60)
      return comparison.holds(today, count)
    case .isNewVisitor(let isNew): return (visits.count <= 1) == isNew
    case .sinceFirstVisit(let comparison, let seconds):
      let start = visits.count > 1 ? visits.firstStart : nil
      return comparison.holds(start.map { Self.seconds(from: $0, to: now) }, seconds)
    case .sinceLastVisit(let comparison, let seconds):
      return comparison.holds(
        visits.earlierStart.map { Self.seconds(from: $0, to: now) }, seconds)
    default: return false
    }
  }

  private static func seconds(from start: Timestamp, to now: Timestamp) -> Double {
    Double(now.microseconds(since: start)) / 1e6
  }

  private func isMet(byAssignments facts: VisitorFacts, asking experiment: ExperimentID?) -> Bool {
    switch self {
    case .exclusiveCampaign(let campaign):
      return !facts.assignments.contains { id, assignment in
        id != experiment && campaign.counts(assignment, in: id, facts)
      }
    case .flag(let flag, let variation, let rule):
      guard let assignment = facts.assignments[flag] else { return false }
      return (variation.map { $0 == assignment.variation } ?? true)
        && (rule.map { $0 == assignment.rule } ?? true)
    case .experiment(let asked, let variation):
      return facts.assignments.contains { id, assignment in
        (id == asked || assignment.experiment == asked)
          && (variation.map { $0 == assignment.variation } ?? true)
      }
    default: return false
    }
  }
}

extension SegmentCondition.Campaign {
  fileprivate func counts(
    _ assignment: Assignment, in experiment: ExperimentID, _ facts: VisitorFacts
  ) -> Bool {
    let isDelivered = assignment.policy == FlagRule.deliveryPolicy
    let isPersonal = isDelivered || facts.kind(of: experiment) == .personalization
    switch self {
    case .any: return true
    case .experiment: return !isPersonal
    case .personalization: return isPersonal
    }
  }
}
