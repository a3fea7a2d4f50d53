import Foundation
import Prediction
import Specifications
import Statistics

/// More predictors by their definitions, computed from the whole history.
extension History {
  private static let gregorian = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private var isUntaken: Bool { present.allSatisfy { known[$0].taken == 0 } }

  func frequency(_ smoothing: Double) -> Forecast {
    let all = present.map { Double(known[$0].taken) + smoothing }
    let sum = all.reduce(0, +)
    return Forecast(
      confidences: all.map { isUntaken ? 1 / Double(all.count) : $0 / sum }, isBlind: isUntaken)
  }

  func recency(_ halfLife: Double) -> Forecast {
    func weight(_ entries: [Entry]) -> Double {
      entries.reduce(0) {
        $0 + Double($1.count) * Self.half(to: Double(sequence.count - $1.event) / halfLife)
      }
    }
    let totals = present.map { weight(known[$0].encounters) }
    return Forecast(
      confidences: zip(present, totals).map { weight(known[$0].takes) / ($1 + 1) },
      isBlind: !totals.contains { $0 > 0 })
  }

  func calendar(_ specification: Specification, at time: Int64?) -> Forecast {
    let strength = specification["strength"].flatMap { Double($0) } ?? 0
    let offset = specification["offset"].flatMap { Double($0) } ?? 0
    /// The parts of the calendar that a bucket goes by.
    func bucket(_ time: Int64?) -> [Int]? {
      guard let time else { return nil }
      let date = Date(timeIntervalSince1970: Double(time / 1_000_000) + offset * 3600)
      let parts = Self.gregorian.dateComponents([.hour, .weekday], from: date)
      guard let hour = parts.hour, let weekday = parts.weekday else { return nil }
      switch specification["buckets"] {
      case "weekday": return [weekday]
      case "daypart": return [hour / 6]
      case "hour-weekday": return [weekday, hour]
      default: return [hour]
      }
    }
    let now = bucket(latest.map { max(time ?? $0, $0) })
    let here = present.map { id in
      Double(now == nil ? 0 : known[id].moments.count { bucket($0) == now })
    }
    let (shares, sum) = (frequency(1).confidences, here.reduce(0, +))
    return Forecast(
      confidences: zip(here, shares).map { ($0 + strength * $1) / (sum + strength) },
      isBlind: isUntaken)
  }

  /// By the product formula over the whole sequence: half the estimates of the context, half what those with one take
  /// more make of it; a forecast is the ratio of two such numbers.
  func contextWeighting(depth: Int) -> Forecast {
    let all = moments + [Moment(present: present, taken: present.map { known[$0].taken })]
    func weighted(_ places: [Int], _ length: Int, of takes: [Int]) -> Double {
      var (own, counts) = (1.0, [Int: Int]())
      var deeper: [Int: [Int]] = [:]
      var shallow = 1.0
      for place in places {
        let moment = all[place]
        let seen =
          length == 0 ? moment.taken : moment.present.map { counts[$0, default: 0] }
        let mine = moment.present.firstIndex(of: takes[place]).map { seen[$0] } ?? 0
        let estimate =
          (Double(mine) + 0.5) / (Double(seen.reduce(0, +)) + Double(moment.present.count) / 2)
        own *= estimate
        counts[takes[place], default: 0] += 1
        if place > length { deeper[takes[place - length - 1], default: []].append(place) }
        if place <= length { shallow *= estimate }
      }
      guard length < depth else { return own }
      return own / 2 + deeper.values.reduce(shallow) { $0 * weighted($1, length + 1, of: takes) }
        / 2
    }
    let before = weighted(Array(sequence.indices), 0, of: sequence)
    return Forecast(
      confidences: present.map {
        weighted(Array(all.indices), 0, of: sequence + [$0]) / before
      }, isBlind: isUntaken)
  }

  /// By the trapezoidal rule over logarithms of Gamma variables, for a prior of 1.
  func thompson() -> Forecast {
    let shapes = present.map { known[$0].taken + 1 }
    let stride = max(1, Int(10 / Double(shapes.max() ?? 1).squareRoot()))
    var chances = shapes.map { _ in 0.0 }
    var place = 0
    while place < GammaTable.standard.densities.count {
      let densities = GammaTable.standard.densities[place]
      let below = shapes.map { GammaTable.standard.distributions[place][$0] }
      for option in shapes.indices {
        var product = densities[shapes[option]] * GammaTable.step * Double(stride)
        for other in shapes.indices where other != option { product *= below[other] }
        chances[option] += product
      }
      place += stride
    }
    return Forecast(
      confidences: isUntaken ? chances.map { _ in 1 / Double(chances.count) } : chances,
      isBlind: isUntaken)
  }
}

/// Gamma variables of whole shapes, which are times of arrivals: by the logarithm and then the shape.
private struct GammaTable {
  static let standard = GammaTable()
  static let step = 0.04

  /// The density of the logarithm.
  var densities: [[Double]] = []
  var distributions: [[Double]] = []

  init() {
    for place in 0..<1045 {
      let x = exp(-36 + Self.step * Double(place))
      // How likely it is that so many arrived: a term of the Poisson distribution.
      var (term, arrived) = (exp(-x), 0.0)
      var (densities, distributions) = ([0.0], [1.0])
      for shape in 1...150 {
        arrived += term
        term *= x / Double(shape)
        densities.append(term * Double(shape))
        distributions.append(max(0, 1 - arrived))
      }
      self.densities.append(densities)
      self.distributions.append(distributions)
    }
  }
}
