import RecordModel

/// The names and types of a record's fields. Records with the same fields share one object.
///
/// `Sendable` is unchecked: shapes are immutable.
package final class RecordShape: @unchecked Sendable {
  package struct Entry: Sendable {
    package let name: FieldName
    /// The name as a string; accessing it does not retain ``name``.
    let text: String
    /// Nil for an unknown type.
    package let type: ValueType?
    package let typeName: String
    package let isEncrypted: Bool
    /// The number of bytes from the quote before the name to the value.
    let openingLength: Int
  }

  /// The fields; valid during the lifetime of this object. Reading an array would retain it.
  package let entries: UnsafeBufferPointer<Entry>
  /// Whether a field is an asset, a list of assets, or of an unknown type.
  let mayContainAssets: Bool

  init(entries: [Entry]) {
    let memory = UnsafeMutableBufferPointer<Entry>.allocate(capacity: entries.count)
    _ = memory.initialize(from: entries)
    self.entries = UnsafeBufferPointer(memory)
    mayContainAssets = entries.contains {
      $0.type == .asset || $0.type == .assetList || $0.type == nil
    }
  }

  deinit {
    let memory = UnsafeMutableBufferPointer(mutating: entries)
    memory.deinitialize()
    memory.deallocate()
  }

  func index(of name: String) -> Int? {
    sortedIndex(of: name, count: entries.count) { entries[$0].text }
  }
}

/// A node in the tree of shapes: one field, which follows those of its ancestors.
///
/// Most records of a type have the same fields. The reader therefore first compares the next field
/// with the one it last read after this node.
final class ShapeNode {
  /// `"name":{"type":"T","value":`, with `"isEncrypted":true,` before the value if the field is
  /// encrypted.
  let opening: [UInt8]
  let entry: RecordShape.Entry?
  private unowned let parent: ShapeNode?
  // Only the reader that owns the tree accesses these, and not while it traverses them.
  @exclusivity(unchecked) private var children: [ShapeNode] = []
  @exclusivity(unchecked) private var latest: ShapeNode?
  @exclusivity(unchecked) private var made: RecordShape?

  /// Creates the root, which has no field.
  init() {
    opening = []
    entry = nil
    parent = nil
  }

  private init(opening: [UInt8], entry: RecordShape.Entry, parent: ShapeNode) {
    self.opening = opening
    self.entry = entry
    self.parent = parent
  }

  /// The shape of a record whose last field is this one.
  var shape: RecordShape {
    if let made { return made }
    var entries: [RecordShape.Entry] = []
    var node: ShapeNode? = self
    while let step = node, let entry = step.entry {
      entries.append(entry)
      node = step.parent
    }
    let shape = RecordShape(entries: entries.reversed())
    made = shape
    return shape
  }

  /// Returns the child whose opening is at `position`, if it is known.
  @inline(__always)
  func child(at position: Int, of scanner: CanonicalScanner) -> ShapeNode? {
    if let latest, scanner.matches(latest.opening, at: position) { return latest }
    return searchChild(at: position, of: scanner)
  }

  private func searchChild(at position: Int, of scanner: CanonicalScanner) -> ShapeNode? {
    for child in children where child !== latest && scanner.matches(child.opening, at: position) {
      latest = child
      return child
    }
    return nil
  }

  /// Adds a child that is not yet known.
  func addChild(opening: [UInt8], entry: RecordShape.Entry) -> ShapeNode {
    let child = ShapeNode(opening: opening, entry: entry, parent: self)
    children.append(child)
    latest = child
    return child
  }
}
