#if os(Linux)
  import Foundation

  /// A sort descriptor that has the name of a field.
  package protocol KeyedSorting: NSSortDescriptor {
    var fieldKey: String? { get }
  }

  private final class KeySortDescriptor: NSSortDescriptor, KeyedSorting {
    let fieldKey: String?

    init(_ key: String?, ascending: Bool) {
      fieldKey = key
      // Foundation on Linux requires a key path. The mock does not read it.
      super.init(keyPath: \String.self, ascending: ascending)
    }

    override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? KeySortDescriptor else { return false }
      return other.fieldKey == fieldKey && other.ascending == ascending
    }

    override var hash: Int { fieldKey.hashValue }

    override var reversedSortDescriptor: Any {
      KeySortDescriptor(fieldKey, ascending: !ascending)
    }
  }

  // Foundation on Linux declares these as unavailable, and an available declaration wins.
  extension NSSortDescriptor: SelfReplacing {
    /// Creates a sort descriptor for a field of a record.
    public convenience init(key: String?, ascending: Bool) {
      self.init(replacingSelfWith: KeySortDescriptor(key, ascending: ascending))
    }

    /// The name of the field.
    public var key: String? { (self as? any KeyedSorting)?.fieldKey }
  }
#endif
