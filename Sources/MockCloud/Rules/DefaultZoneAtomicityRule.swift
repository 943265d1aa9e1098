import RecordModel

/// Web Services refuse an atomic request for the default zone.
///
/// Source: AgileCloudSDK #24. See ``ServerRules/defaultZoneAtomicity-swift.property``.
enum DefaultZoneAtomicityRule {
  static func check(
    _ zoneIDs: some Sequence<ZoneID>, atomically: Bool, _ rules: ServerRules
  ) throws(CloudError) {
    guard atomically, rules.defaultZoneAtomicity == .refused, zoneIDs.contains(where: \.isDefault)
    else { return }
    throw CloudError(.invalidArguments, "atomic operations not supported in default zone")
  }
}
