extension IndexState {
  /// Makes decisions between two variants with rewards 0 and 1, as long as their estimates decide.
  ///
  /// The tally and the terms that each variant would have next are computed before the choice is known, and so is its
  /// reward. Then a step waits for nothing but two estimates, and there is no branch on the choice.
  @inline(never)
  mutating func advancePair(
    _ steps: Range<Int>, _ run: StationaryRun, _ choices: inout MutableSpan<Int>,
    _ reward: inout Double
  ) -> Int {
    guard table.isComplete, run.isBernoulli, table.arms.allSatisfy({ $0.decisions > 0 })
    else { return 0 }
    var pair = PairTally(table.arms)
    var terms = terms(pair)
    var learned = table.learned
    var step = steps.lowerBound
    while step < steps.upperBound {
      let x = policy.abscissa(situation(learned, bestMean: 0))
      let estimates = policy.estimate(terms, x)
      let difference = estimates[0] - estimates[1]
      let rewards = SIMD2(run.reward(0, step), run.reward(1, step))
      var next = pair
      next.learn(rewards)
      let later = self.terms(next)
      let larger = difference > 0 ? estimates[0] : estimates[1]
      guard abs(difference) > 2 * slack(larger) else { break }
      let isChosen = SIMD2(difference, -difference) .> 0
      pair.replace(with: next, where: isChosen)
      terms.replace(with: later, where: isChosen)
      let value = SIMD2<Double>.zero.replacing(with: rewards, where: isChosen)
      reward += value[0] + value[1]
      learned &+= 1
      step &+= 1
    }
    for variant in 0..<2 {
      choices[variant] += pair[variant].decisions - table.arms[variant].decisions
    }
    table.replace(pair.arms, learned: learned)
    for variant in 0..<2 { update(variant) }
    rival.end = -1
    return step - steps.lowerBound
  }

  @inline(__always)
  private func terms(_ pair: PairTally) -> IndexTerms<SIMD2<Double>> {
    let known = IndexSituation(choices: 2)
    let (first, second) = (
      policy.terms(pair[0], known, index: .nan), policy.terms(pair[1], known, index: .nan)
    )
    return IndexTerms(
      a: SIMD2(first.a, second.a), b: SIMD2(first.b, second.b), c: SIMD2(first.c, second.c))
  }
}
