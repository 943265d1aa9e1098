// Not part of CloudKit: what tests ask of a record.
extension CKRecord {
  /// Whether the parent was set since the record was made from the server's or from system fields.
  public var hasChangedParent: Bool { state.with { $0.hasChangedParent } }
}
