import Foundation

/// Creates an archive, or changes values of one and preserves the rest.
package struct KeyedArchiveEditor {
  private var plist: BinaryPlist
  /// The `$objects`: for each object, its index in the property list.
  private var table: [BinaryPlist.Ref]
  private let tableRef: BinaryPlist.Ref
  private let topRef: BinaryPlist.Ref
  /// The dictionary to edit: the top of the archive, or an object in it.
  private let target: BinaryPlist.Ref
  /// Plain values, which are stored once and shared.
  private var shared: [SharedValue: BinaryPlist.Ref] = [:]
  private var classes: [[String]: UInt64] = [:]

  /// Creates an empty archive.
  package init() {
    plist = BinaryPlist(
      objects: [
        .dictionary([
          .init(key: 1, value: 5), .init(key: 2, value: 6), .init(key: 3, value: 7),
          .init(key: 4, value: 8),
        ]),
        .string("$version"), .string("$objects"), .string("$archiver"), .string("$top"),
        .integer(KeyedArchive.version), .array([]), .string(KeyedArchive.archiver),
        .dictionary([]), .string("$null"),
      ], top: 0)
    tableRef = 6
    topRef = 8
    target = 8
    table = [9]
  }

  /// Edits `node`, an object of the archive or its top.
  package init(_ archive: KeyedArchive, editing node: KeyedArchiveNode) {
    plist = archive.plist
    table = archive.objects
    tableRef = archive.tableRef
    topRef = archive.topRef
    target = node.ref
    for (index, object) in plist.objects.enumerated() {
      guard let value = SharedValue(object), shared[value] == nil else { continue }
      shared[value] = BinaryPlist.Ref(index)
    }
  }

  /// Sets the value of a key; a new key is added after the others.
  ///
  /// - Parameter node: the object that has the key, in the original archive; nil for the one passed
  ///   to the initializer.
  package mutating func set(
    _ key: String, to content: KeyedArchiveContent, in node: KeyedArchiveNode? = nil
  ) {
    let target = node?.ref ?? target
    let value = member(content)
    guard case .dictionary(var entries) = plist.objects[Int(target)] else { return }
    if let index = entries.firstIndex(where: { plist.isKey($0, key) }) {
      entries[index].value = value
    } else {
      entries.append(.init(key: unique(.string(key)), value: value))
    }
    plist.objects[Int(target)] = .dictionary(entries)
  }

  /// Returns the edited archive, without unreachable objects.
  package consuming func archive() -> KeyedArchive {
    plist.objects[Int(tableRef)] = .array(table)
    removeUnreachableObjects()
    let (compacted, places) = plist.compacted()
    func place(_ ref: BinaryPlist.Ref) -> BinaryPlist.Ref { places[Int(ref)] ?? 0 }
    return KeyedArchive(
      plist: compacted, objects: table.map(place), tableRef: place(tableRef),
      topRef: place(topRef))
  }

  // MARK: Adding

  /// Returns the value of an object's key: a plain value for a number, a reference for an object.
  private mutating func member(_ content: KeyedArchiveContent) -> BinaryPlist.Ref {
    switch content {
    case .bool(let value): unique(.bool(value))
    case .integer(let value): unique(.integer(value))
    case .real(let value): unique(.real(value))
    case .list(let elements): append(.array(elements.map { append(.uid(object($0))) }))
    default: append(.uid(object(content)))
    }
  }

  /// Returns the number of a new object. Numbers are in the order of `NSKeyedArchiver`: an object,
  /// its contents, its class.
  private mutating func object(_ content: KeyedArchiveContent) -> UInt64 {
    let number = table.count
    switch content {
    case .null: return 0
    case .existing(let node): return UInt64(table.firstIndex(of: node.ref) ?? 0)
    case .bool(let value): table.append(unique(.bool(value)))
    case .integer(let value): table.append(unique(.integer(value)))
    case .real(let value): table.append(unique(.real(value)))
    case .string(let value): table.append(unique(.string(value)))
    case .data(let value): table.append(append(.data(value)))
    case .list(let elements):
      table.append(0)
      table[number] = append(.array(elements.map { append(.uid(object($0))) }))
    case .object(let classes, let members):
      table.append(0)
      var entries = members.map { key, value in
        BinaryPlist.Entry(key: unique(.string(key)), value: member(value))
      }
      let classRef = append(.uid(classNumber(classes)))
      entries.append(.init(key: unique(.string("$class")), value: classRef))
      table[number] = append(.dictionary(entries))
    }
    return UInt64(number)
  }

  private mutating func classNumber(_ names: [String]) -> UInt64 {
    if let number = classes[names] { return number }
    let list = append(.array(names.map { unique(.string($0)) }))
    let entries = [
      BinaryPlist.Entry(key: unique(.string("$classes")), value: list),
      .init(key: unique(.string("$classname")), value: unique(.string(names.first ?? "NSObject"))),
    ]
    table.append(append(.dictionary(entries)))
    let number = UInt64(table.count - 1)
    classes[names] = number
    return number
  }

  private mutating func append(_ object: BinaryPlist.Object) -> BinaryPlist.Ref {
    plist.objects.append(object)
    return BinaryPlist.Ref(plist.objects.count - 1)
  }

  /// Returns the index of an equal plain value, or of the object, which is added.
  private mutating func unique(_ object: BinaryPlist.Object) -> BinaryPlist.Ref {
    guard let value = SharedValue(object) else { return append(object) }
    if let ref = shared[value] { return ref }
    let ref = append(object)
    shared[value] = ref
    return ref
  }

  // MARK: Removing

  /// Removes unreachable objects from the `$objects`, and renumbers the others.
  private mutating func removeUnreachableObjects() {
    var seen = [Bool](repeating: false, count: plist.objects.count)
    var kept = Set<UInt64>([0])
    var stack = plist.objects[Int(plist.top)].children.filter { $0 != tableRef }
    while let ref = stack.popLast() {
      guard !seen[Int(ref)] else { continue }
      seen[Int(ref)] = true
      if case .uid(let number) = plist.objects[Int(ref)] {
        guard number < UInt64(table.count) else { continue }
        kept.insert(number)
        stack.append(table[Int(number)])
      } else {
        stack.append(contentsOf: plist.objects[Int(ref)].children)
      }
    }
    let numbers = kept.sorted().filter { $0 < UInt64(table.count) }
    guard numbers.count < table.count else { return }
    var renumbered: [UInt64: UInt64] = [:]
    for (new, old) in numbers.enumerated() { renumbered[old] = UInt64(new) }
    for index in plist.objects.indices {
      guard case .uid(let old) = plist.objects[index] else { continue }
      // A reference beyond the end of the table remains one: the table only gets shorter.
      plist.objects[index] = .uid(renumbered[old] ?? old)
    }
    table = numbers.map { table[Int($0)] }
    plist.objects[Int(tableRef)] = .array(table)
  }
}

/// A plain value as a key for sharing. Strings are compared by their bytes, because canonically
/// equivalent names are different.
private enum SharedValue: Hashable {
  case bool(Bool)
  case integer(Int64)
  case real(UInt64)
  case string([UInt8])

  init?(_ object: BinaryPlist.Object) {
    switch object {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value.bitPattern)
    case .string(let value): self = .string(Array(value.utf8))
    default: return nil
    }
  }
}
