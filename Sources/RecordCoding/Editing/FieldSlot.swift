/// A field of a record that is being edited: a field of the source, or one with another value.
///
/// It contains indices instead of objects, so that copying it does not retain anything.
struct FieldSlot {
  /// The index of the field in the source; nil for another value.
  @SmallIndex private(set) var source: Int?
  /// The index of the list of values of the source; nil for another value.
  @SmallIndex private(set) var list: Int?
  /// The index of the field with a new value; nil for a value of the source.
  @SmallIndex var newField: Int? { didSet { isUnchanged = false } }
  /// The index of the new name; nil if the name is that of the source.
  @SmallIndex var newName: Int? { didSet { isUnchanged = false } }
  var isEncrypted: Bool
  /// Whether the field is identical to the one in the source.
  var isUnchanged: Bool

  init(
    source: Int? = nil, list: Int? = nil, newField: Int? = nil, newName: Int? = nil,
    isEncrypted: Bool = false, isUnchanged: Bool = false
  ) {
    self.source = source
    self.list = list
    self.newField = newField
    self.newName = newName
    self.isEncrypted = isEncrypted
    self.isUnchanged = isUnchanged
  }
}

/// An optional index of four bytes.
@propertyWrapper
struct SmallIndex {
  private var index: Int32

  @inline(__always)
  init(wrappedValue: Int?) { index = wrappedValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }

  @inline(__always)
  var wrappedValue: Int? {
    get { index < 0 ? nil : Int(index) }
    set { self = Self(wrappedValue: newValue) }
  }
}
