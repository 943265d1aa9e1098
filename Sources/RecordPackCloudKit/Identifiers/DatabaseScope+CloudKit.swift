#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension DatabaseScope {
    /// Creates a scope from one of CloudKit; nil for one that this version does not know.
    public init?(_ scope: CKDatabase.Scope) {
      switch scope {
      case .public: self = .public
      case .private: self = .private
      case .shared: self = .shared
      @unknown default: return nil
      }
    }
  }

  extension CKDatabase.Scope {
    /// Creates a scope from one of RecordPack.
    public init(_ scope: DatabaseScope) {
      switch scope {
      case .public: self = .public
      case .private: self = .private
      case .shared: self = .shared
      }
    }
  }
#endif
