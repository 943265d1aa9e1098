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
/// with the one it last read after this node. It refers to nodes without counting references: the
/// root owns all of them.
final class ShapeNode {
  typealias Pointer = Unmanaged<ShapeNode>

  /// `"name":{"type":"T","value":`, with `"isEncrypted":true,` before the value if the field is
  /// encrypted. Valid during the lifetime of this object; reading an array would retain it.
  let opening: UnsafeBufferPointer<UInt8>
  let entry: RecordShape.Entry?
  private unowned let parent: ShapeNode?
  // Only the reader that owns the tree accesses these, and not while it traverses them.
  @exclusivity(unchecked) private var children: [ShapeNode] = []
  @exclusivity(unchecked) private var latest: Pointer?
  @exclusivity(unchecked) private var made: RecordShape?

  /// Creates the root, which has no field.
  init() {
    opening = UnsafeBufferPointer(start: nil, count: 0)
    entry = nil
    parent = nil
  }

  private init(
    opening: UnsafeRawBufferPointer, entry: RecordShape.Entry, parent: ShapeNode
  ) {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: opening.count)
    _ = memory.initialize(from: opening)
    self.opening = UnsafeBufferPointer(memory)
    self.entry = entry
    self.parent = parent
  }

  deinit { opening.deallocate() }

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
  func child(at position: Int, of scanner: CanonicalReader) -> Pointer? {
    if let latest,
      scanner.matches(latest._withUnsafeGuaranteedRef { $0.opening }, at: position)
    {
      return latest
    }
    return searchChild(at: position, of: scanner)
  }

  private func searchChild(at position: Int, of scanner: CanonicalReader) -> Pointer? {
    for child in children where scanner.matches(child.opening, at: position) {
      latest = .passUnretained(child)
      return latest
    }
    return nil
  }

  /// Adds a child that is not yet known.
  func addChild(opening: UnsafeRawBufferPointer, entry: RecordShape.Entry) -> Pointer {
    let child = ShapeNode(opening: opening, entry: entry, parent: self)
    children.append(child)
    let pointer = Pointer.passUnretained(child)
    latest = pointer
    return pointer
  }
}
