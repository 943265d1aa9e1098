import RecordModel

/// That records of one type refer to records of another.
///
/// CloudKit's schema language says `REFERENCE` without a type, so what a field refers to is counted
/// in records, or guessed by its name.
package struct SchemaReference: Sendable, Hashable {
  /// Where the reference is.
  package enum Place: Sendable, Hashable {
    /// A field of this name.
    case field(ExactString)
    /// The parent, which a record is shared with.
    case parent
    /// The share.
    case share
  }

  /// How the reference is known.
  package enum Basis: Sendable, Hashable {
    /// This number of records have it.
    case records(Int)
    /// The field is called like the type.
    case name
  }

  /// The type that refers.
  package var recordType: ExactString
  /// Where.
  package var place: Place
  /// The type that is referred to.
  package var target: ExactString
  /// How that is known.
  package var basis: Basis

  package init(from recordType: String, _ place: Place, to target: String, _ basis: Basis) {
    self.recordType = ExactString(recordType)
    self.place = place
    self.target = ExactString(target)
    self.basis = basis
  }

  var isGuess: Bool { basis == .name }

  /// The name of the place in a diagram.
  var placeName: String {
    switch place {
    case .field(let name): name.string
    case .parent: "parent"
    case .share: "share"
    }
  }

  /// What orders references: type, place, target.
  private var key: (ExactString, Int, ExactString, ExactString) {
    switch place {
    case .field(let name): (recordType, 0, name, target)
    case .parent: (recordType, 1, "", target)
    case .share: (recordType, 2, "", target)
    }
  }
}

extension SchemaReference: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.key < rhs.key }
}
