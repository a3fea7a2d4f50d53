internal import Events

/// Sets of units, one for each of some codes, as paged bitmaps.
struct UnitSets: Sendable {
  private static let pageBits: UInt32 = 15
  private static let pageWords = 1 << (pageBits - 6)

  /// The number of pages of a set of all units.
  private let pageCount: Int
  /// By code, then by page: the number of the page, 0 if it is not allocated; the first page is unused.
  private var pages: [UInt32] = []
  private var words = [UInt64](repeating: 0, count: pageWords)

  /// Creates empty sets of units whose codes are below the limit.
  init(unitLimit: UInt32) {
    pageCount = Int(unitLimit >> Self.pageBits) + 1
  }

  /// Reserves sets for codes below the limit.
  mutating func reserve(_ limit: UInt32) {
    let more = Int(limit) * pageCount - pages.count
    if more > 0 { pages.append(contentsOf: repeatElement(0, count: more)) }
  }

  /// Returns the number of units in the set of a code.
  func count(_ code: UInt32) -> Int {
    numbers(code).reduce(0) { sum, page in
      page == 0
        ? sum
        : words[Int(page) * Self.pageWords..<(Int(page) + 1) * Self.pageWords].reduce(sum) {
          $0 + $1.nonzeroBitCount
        }
    }
  }

  private func numbers(_ code: UInt32) -> ArraySlice<UInt32> {
    let start = Int(code) * pageCount
    return start + pageCount <= pages.count ? pages[start..<start + pageCount] : []
  }

  /// Inserts the unit of each row of the given kind into the set of the row's code.
  ///
  /// Codes must be below the reserved limit, and units below theirs; other rows are skipped.
  mutating func insert(
    _ units: [UInt32], into codes: [UInt32], of kinds: [UInt8], _ kind: EventKind
  ) {
    let count = min(units.count, codes.count, kinds.count)
    let (kind, unitLimit) = (kind.rawValue, UInt32(clamping: pageCount << Int(Self.pageBits)))
    let codeLimit = UInt32(clamping: pages.count / pageCount)
    var row = 0
    while row < count {
      // Processes runs of rows whose pages are allocated; a missing page is allocated outside.
      row = insert(units, codes, kinds, kind, row..<count, unitLimit, codeLimit)
      guard row < count else { break }
      addPage(Int(codes[row]) * pageCount + Int(units[row] >> Self.pageBits))
    }
  }

  /// Inserts rows until one needs a page that is not allocated.
  ///
  /// - Returns: The first row whose page is missing; the end if there is none.
  private mutating func insert(
    _ units: [UInt32], _ codes: [UInt32], _ kinds: [UInt8], _ kind: UInt8, _ rows: Range<Int>,
    _ unitLimit: UInt32, _ codeLimit: UInt32
  ) -> Int {
    let pageCount = pageCount
    // Safety: rows are below the counts of all three columns; a code below its limit and a unit below its own have a
    // place among the pages, and an allocated page has all of its words.
    return unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe pages.withUnsafeBufferPointer { pages in
        unsafe units.withUnsafeBufferPointer { units in
          unsafe codes.withUnsafeBufferPointer { codes in
            unsafe kinds.withUnsafeBufferPointer { kinds in
              for row in rows where unsafe kinds[row] == kind {
                let (unit, code) = unsafe (units[row], codes[row])
                guard unit < unitLimit, code < codeLimit else { continue }
                let place = Int(code) &* pageCount &+ Int(unit &>> Self.pageBits)
                let page = unsafe Int(pages[place])
                if page == 0 { return row }
                let word = page &* Self.pageWords &+ (Int(unit &>> 6) & (Self.pageWords - 1))
                unsafe words[word] |= 1 &<< UInt64(unit & 63)
              }
              return rows.upperBound
            }
          }
        }
      }
    }
  }

  private mutating func addPage(_ place: Int) {
    pages[place] = UInt32(words.count / Self.pageWords)
    words.append(contentsOf: repeatElement(0, count: Self.pageWords))
  }

  /// Inserts the units of another's set into the set of a code.
  mutating func formUnion(_ code: UInt32, with other: UInt32, of others: UnitSets) {
    for (page, number) in others.numbers(other).enumerated() where number > 0 {
      let place = Int(code) * pageCount + page
      if pages[place] == 0 { addPage(place) }
      let (own, their) = (Int(pages[place]) * Self.pageWords, Int(number) * Self.pageWords)
      for word in 0..<Self.pageWords { words[own + word] |= others.words[their + word] }
    }
  }
}
