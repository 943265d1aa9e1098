import RecordModel

extension SaveRule {
  /// A name that starts with `_` is the server's.
  ///
  /// Source: the server's message in IceCream #260.
  static let systemFields = SaveRule { save, _ in
    guard let field = save.draft.fields.first(where: { $0.name.hasPrefix("_") }) else { return }
    throw CloudError(
      .permissionFailure, "Unprivileged attempt to insert a system field: \(field.name)")
  }
}
