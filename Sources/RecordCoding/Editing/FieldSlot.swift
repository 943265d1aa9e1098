/// A field of a record that is being edited: a field of the source, or one with another value.
///
/// It contains indices instead of objects, so that copying it does not retain anything.
struct FieldSlot {
  private let sourcePlace: Int32
  private var madePlace: Int32 = -1
  private var listPlace: Int32 = -1
  private var namePlace: Int32 = -1
  var isEncrypted = false
  /// Whether the field is identical to the one in the source.
  var isAsItCame = false

  /// Creates an unchanged field of the source.
  init(source: Int, isEncrypted: Bool) {
    sourcePlace = Int32(truncatingIfNeeded: source)
    self.isEncrypted = isEncrypted
    isAsItCame = true
  }

  /// Creates a field with a new value.
  init(made: Int) {
    sourcePlace = -1
    madePlace = Int32(truncatingIfNeeded: made)
  }

  /// Creates a field with the value of a field of the source.
  init(copyOf source: Int, name: Int, isEncrypted: Bool) {
    sourcePlace = Int32(truncatingIfNeeded: source)
    namePlace = Int32(truncatingIfNeeded: name)
    self.isEncrypted = isEncrypted
  }

  /// Creates a field with a list of values of the source.
  init(list: Int, name: Int, isEncrypted: Bool) {
    sourcePlace = -1
    listPlace = Int32(truncatingIfNeeded: list)
    namePlace = Int32(truncatingIfNeeded: name)
    self.isEncrypted = isEncrypted
  }

  /// The index of the field in the source; nil for another value.
  @inline(__always)
  var source: Int? { sourcePlace < 0 ? nil : Int(sourcePlace) }

  /// The index of the list of values of the source; nil for another value.
  @inline(__always)
  var list: Int? { listPlace < 0 ? nil : Int(listPlace) }

  /// The index of the field with a new value; nil for a value of the source.
  @inline(__always)
  var made: Int? {
    get { madePlace < 0 ? nil : Int(madePlace) }
    set {
      madePlace = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1
      isAsItCame = false
    }
  }

  /// The index of the new name; nil if the name is that of the source.
  @inline(__always)
  var newName: Int? {
    get { namePlace < 0 ? nil : Int(namePlace) }
    set {
      namePlace = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1
      isAsItCame = false
    }
  }
}
