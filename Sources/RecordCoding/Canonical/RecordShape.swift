import RecordModel

/// The fields that a record has, without their values. Records with the same fields share it.
///
/// Sendable because nothing changes once it is made.
package final class RecordShape: @unchecked Sendable {
  package struct Entry: Sendable {
    package let name: FieldName
    /// The same name; looking at it counts no reference to the object.
    let text: String
    /// Nil where the type is one this model does not know.
    package let type: ValueType?
    package let typeName: String
    package let isEncrypted: Bool
    /// Bytes from the quote before the name to the value.
    let openingLength: Int
  }

  /// The fields; valid as long as this object. No array, for reading one would count references.
  package let entries: UnsafeBufferPointer<Entry>
  /// Whether a field may refer to assets: it is one, a list of them, or of an unknown type.
  let holdsAssets: Bool

  init(entries: [Entry]) {
    let memory = UnsafeMutableBufferPointer<Entry>.allocate(capacity: entries.count)
    _ = memory.initialize(from: entries)
    self.entries = UnsafeBufferPointer(memory)
    holdsAssets = entries.contains {
      $0.type == .asset || $0.type == .assetList || $0.type == nil
    }
  }

  deinit {
    let memory = UnsafeMutableBufferPointer(mutating: entries)
    memory.deinitialize()
    memory.deallocate()
  }

  func index(of name: String) -> Int? {
    // Most are told apart by `==` in no time; it takes canonically equivalent names for equal.
    entries.firstIndex { $0.text == name && $0.text.sameScalars(as: name) }
  }
}

/// A step in the tree of shapes: one field after those on the path from the root.
///
/// Records of a type mostly have the same fields in the same order, so the reader guesses the next
/// field to be the one it met here last, and compares its bytes in one go.
final class ShapeNode {
  /// `"name":{"type":"T","value":`, with `"isEncrypted":true,` where it is.
  let opening: [UInt8]
  let entry: RecordShape.Entry?
  private unowned let parent: ShapeNode?
  // Only the one reader that owns the tree touches these, and never while it walks them.
  @exclusivity(unchecked) private var children: [ShapeNode] = []
  @exclusivity(unchecked) private var latest: ShapeNode?
  @exclusivity(unchecked) private var made: RecordShape?

  /// The root: no fields.
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

  /// The shape of a record that ends here.
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

  /// The child whose opening stands at `position`, if it was met before.
  @inline(__always)
  func child(at position: Int, of scanner: CanonicalScanner) -> ShapeNode? {
    if let latest, scanner.matches(latest.opening, at: position) { return latest }
    return searchChild(at: position, of: scanner)
  }

  private func searchChild(
    at position: Int, of scanner: CanonicalScanner
  ) -> ShapeNode? {
    for child in children where child !== latest && scanner.matches(child.opening, at: position) {
      latest = child
      return child
    }
    return nil
  }

  /// Adds a child that no earlier record led to.
  func addChild(opening: [UInt8], entry: RecordShape.Entry) -> ShapeNode {
    let child = ShapeNode(opening: opening, entry: entry, parent: self)
    children.append(child)
    latest = child
    return child
  }
}
