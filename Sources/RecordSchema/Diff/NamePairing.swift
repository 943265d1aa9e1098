import RecordModel

/// A schema element that is identified by its name.
protocol NamedElement {
  var name: String { get }
  var origin: CloudSchema.Origin? { get }
}

extension NamedElement {
  var pairingName: NameKey { NameKey(name) }
  // Inlined, it makes Swift 6.3's optimizer fail.
  @inline(never)
  var nameSpan: SourceSpan? { origin?.name }
  /// The span of a field's type or of the keyword `GRANT`.
  var typeSpan: SourceSpan? { origin?.detail }
}

/// A role or record type.
protocol TopLevelElement: NamedElement, SendableMetatype {
  var subject: SchemaSubject { get }
}

extension CloudSchema.Role: TopLevelElement { var subject: SchemaSubject { .role(name) } }
extension CloudSchema.RecordType: TopLevelElement { var subject: SchemaSubject { .type(name) } }
extension CloudSchema.Field: NamedElement {}
extension CloudSchema.Grant: NamedElement { var name: String { role } }

extension Array where Element: NamedElement {
  /// Returns the elements sorted by ASCII. Takes a single pass if they are already sorted, as in
  /// every export.
  func sortedByName() -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy {
      self[$0 - 1].pairingName <= self[$0].pairingName
    }
    return isSorted ? self : sorted { $0.pairingName < $1.pairingName }
  }
}

/// An element that is in both schemas and differs. A system field without origin is one that the
/// schema omits; a missing grant has no permissions.
struct NamedPair<Element: NamedElement> {
  let from: Element
  let to: Element

  var name: String { to.name }
}

extension NamedPair<CloudSchema.Grant> {
  var gained: CloudSchema.Permissions { to.permissions.subtracting(from.permissions) }
  var lost: CloudSchema.Permissions { from.permissions.subtracting(to.permissions) }
}

/// The differences between two lists of named elements, each sorted by name. If a name occurs more
/// than once, the first element counts.
struct NamePairing<Element: NamedElement> {
  /// The elements that are in both lists and differ.
  private(set) var both: [NamedPair<Element>] = []
  private(set) var added: [Element] = []
  private(set) var removed: [Element] = []

  /// - Parameter differ: Returns whether two elements with the same name differ. Equal pairs are
  ///   dropped.
  init(_ from: [Element], _ to: [Element], differ: (Element, Element) -> Bool) {
    var positions: [NameKey: Int] = [:]
    positions.reserveCapacity(from.count)
    for position in from.indices where positions[from[position].pairingName] == nil {
      positions[from[position].pairingName] = position
    }
    var seen: Set<NameKey> = []
    seen.reserveCapacity(to.count)
    for position in to.indices where seen.insert(to[position].pairingName).inserted {
      guard let former = positions.removeValue(forKey: to[position].pairingName) else {
        added.append(to[position])
        continue
      }
      if differ(from[former], to[position]) {
        both.append(NamedPair(from: from[former], to: to[position]))
      }
    }
    removed = positions.values.map { from[$0] }
    both.sort { $0.to.pairingName < $1.to.pairingName }
    added.sort { $0.pairingName < $1.pairingName }
    removed.sort { $0.pairingName < $1.pairingName }
  }
}
