/// Two lists paired by name, each part sorted by name. Of elements with one name the first counts.
struct NamePairing<Element> {
  private(set) var both: [(from: Element, to: Element)] = []
  private(set) var added: [Element] = []
  private(set) var removed: [Element] = []

  init(_ from: [Element], _ to: [Element], by name: KeyPath<Element, String> & Sendable) {
    var positions: [String: Int] = [:]
    positions.reserveCapacity(from.count)
    for (position, element) in from.enumerated() where positions[element[keyPath: name]] == nil {
      positions[element[keyPath: name]] = position
    }
    var seen: Set<String> = []
    seen.reserveCapacity(to.count)
    for element in to where seen.insert(element[keyPath: name]).inserted {
      if let position = positions.removeValue(forKey: element[keyPath: name]) {
        both.append((from[position], element))
      } else {
        added.append(element)
      }
    }
    removed = positions.values.map { from[$0] }
    both.sort { $0.to[keyPath: name] < $1.to[keyPath: name] }
    added.sort { $0[keyPath: name] < $1[keyPath: name] }
    removed.sort { $0[keyPath: name] < $1[keyPath: name] }
  }
}
