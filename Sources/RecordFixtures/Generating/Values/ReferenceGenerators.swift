import RecordCoding
import RecordPlatform

/// References to an ancestor, or to any record of a type in the zone.
final class ReferenceGenerator: FieldGenerator {
  enum Target {
    case ancestor(TreeCursor)
    /// The records of a section, of which there is at least one.
    case any(Section)
  }

  private let target: Target
  private let action: ValueRule.ReferenceAction

  init(_ target: Target, _ action: ValueRule.ReferenceAction) {
    self.target = target
    self.action = action
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    switch target {
    case .ancestor(let cursor): buffer.append(referenceTo: cursor, action)
    case .any(let section):
      let index = context.random.below(section.count)
      var random = SeededNumbers(
        seed: section.key, stream: UInt64(truncatingIfNeeded: index))
      buffer.append("{\"recordName\":\"")
      section.names.append(index, seed: random.next(), to: buffer)
      buffer.append(action)
    }
    return true
  }

  /// Refers to no record, which CloudKit allows without an action.
  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard action == .none, case .any = target else { return false }
    buffer.append("{\"recordName\":\"nowhere-")
    buffer.appendInteger(Int64(context.random.below(1000)))
    buffer.append(action)
    return true
  }
}

/// References to all ancestors, the nearest first.
final class AncestorsGenerator: FieldGenerator {
  private let ancestors: [TreeCursor]
  private let action: ValueRule.ReferenceAction

  init(_ ancestors: [TreeCursor], _ action: ValueRule.ReferenceAction) {
    self.ancestors = ancestors
    self.action = action
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    buffer.append(UInt8(ascii: "["))
    for (place, cursor) in ancestors.enumerated() {
      if place > 0 { buffer.append(UInt8(ascii: ",")) }
      buffer.append(referenceTo: cursor, action)
    }
    buffer.append(UInt8(ascii: "]"))
    return true
  }
}

extension ByteBuffer {
  /// Appends a reference to the record of a cursor, in the same zone.
  func append(referenceTo cursor: TreeCursor, _ action: ValueRule.ReferenceAction) {
    append("{\"recordName\":\"")
    cursor.section.names.append(cursor.spot.index, seed: cursor.spot.seed, to: self)
    append(action)
  }

  /// Appends what follows the name of a reference.
  fileprivate func append(_ action: ValueRule.ReferenceAction) {
    switch action {
    case .none: append("\",\"action\":\"NONE\"}")
    case .deleteSelf: append("\",\"action\":\"DELETE_SELF\"}")
    case .validate: append("\",\"action\":\"VALIDATE\"}")
    }
  }
}
