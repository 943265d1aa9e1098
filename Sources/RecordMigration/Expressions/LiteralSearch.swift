/// Finds a text within others by Unicode scalars, as `==` of expressions compares them: `é` in one
/// scalar and in two are different, and a mark does not hide the letter before it.
///
/// Takes time proportional to the lengths of both texts.
struct LiteralSearch {
  private let part: [UInt8]
  /// For each byte of the part, the length of the longest beginning that also ends there.
  private let borders: [Int]

  init(_ part: String) {
    let part = Array(part.utf8)
    var borders = part.map { _ in 0 }
    var length = 0
    for place in part.indices.dropFirst() {
      while length > 0, part[place] != part[length] { length = borders[length - 1] }
      if part[place] == part[length] { length += 1 }
      borders[place] = length
    }
    self.part = part
    self.borders = borders
  }

  /// Returns the UTF-8 offsets of the first occurrences, which do not overlap. An empty part does not
  /// occur.
  private func places(in text: String, upTo most: Int = .max) -> [Int] {
    var places: [Int] = []
    guard !part.isEmpty, text.utf8.count >= part.count else { return places }
    var length = 0
    for (place, byte) in text.utf8.enumerated() {
      while length > 0, byte != part[length] { length = borders[length - 1] }
      if byte == part[length] { length += 1 }
      guard length == part.count else { continue }
      places.append(place + 1 - length)
      if places.count == most { return places }
      length = 0
    }
    return places
  }

  /// Whether a text contains the part.
  func isIn(_ text: String) -> Bool { !places(in: text, upTo: 1).isEmpty }

  /// Returns the texts between the occurrences of the part.
  func separated(_ text: String) -> [String] {
    let (bytes, places) = (Array(text.utf8), places(in: text))
    var start = 0
    return (places + [bytes.count]).map { place in
      defer { start = place + part.count }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }
  }
}

extension String {
  /// The texts between the occurrences of another, which are found by Unicode scalars.
  func separated(by part: String) -> [String] { LiteralSearch(part).separated(self) }

  func beginsWithScalars(of part: String) -> Bool { utf8.starts(with: part.utf8) }

  func endsWithScalars(of part: String) -> Bool {
    utf8.count >= part.utf8.count && utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
  }
}
