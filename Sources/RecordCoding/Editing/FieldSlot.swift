/// A field of a record that is being changed: one of the source's, or one with another value.
///
/// It holds places instead of objects, so that filling and emptying a list of them counts no
/// references.
struct FieldSlot {
  private let sourcePlace: Int32
  private var madePlace: Int32 = -1
  private var listPlace: Int32 = -1
  private var namePlace: Int32 = -1
  var isEncrypted = false
  /// Whether it is still what it was in the source, to the last byte.
  var isAsItCame = false

  /// A field as it came.
  init(source: Int, isEncrypted: Bool) {
    sourcePlace = Int32(truncatingIfNeeded: source)
    self.isEncrypted = isEncrypted
    isAsItCame = true
  }

  /// A field with a value of its own.
  init(made: Int) {
    sourcePlace = -1
    madePlace = Int32(truncatingIfNeeded: made)
  }

  /// A field with the value of one of the source's.
  init(copyOf source: Int, name: Int, isEncrypted: Bool) {
    sourcePlace = Int32(truncatingIfNeeded: source)
    namePlace = Int32(truncatingIfNeeded: name)
    self.isEncrypted = isEncrypted
  }

  /// A field with a list of the source's values.
  init(list: Int, name: Int, isEncrypted: Bool) {
    sourcePlace = -1
    listPlace = Int32(truncatingIfNeeded: list)
    namePlace = Int32(truncatingIfNeeded: name)
    self.isEncrypted = isEncrypted
  }

  /// The place among the fields of the source; nil where the value is another.
  @inline(__always)
  var source: Int? { sourcePlace < 0 ? nil : Int(sourcePlace) }

  /// The place among the lists of the source's values; nil where the value is another.
  @inline(__always)
  var list: Int? { listPlace < 0 ? nil : Int(listPlace) }

  /// The place among the fields with values of their own; nil where the value is the source's.
  @inline(__always)
  var made: Int? {
    get { madePlace < 0 ? nil : Int(madePlace) }
    set {
      madePlace = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1
      isAsItCame = false
    }
  }

  /// The place among the new names; nil where the field is called as in the source.
  @inline(__always)
  var newName: Int? {
    get { namePlace < 0 ? nil : Int(namePlace) }
    set {
      namePlace = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1
      isAsItCame = false
    }
  }
}
