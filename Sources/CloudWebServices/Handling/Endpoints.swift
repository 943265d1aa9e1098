/// All requests, by their paths.
enum Endpoints {
  /// The requests to a database.
  static let ofDatabase = table([
    RecordsQuery.self, RecordsLookup.self, RecordsModify.self, RecordsChanges.self,
    RecordsResolve.self, RecordsAccept.self,
    ChangesDatabase.self, ChangesZone.self,
    ZonesList.self, ZonesLookup.self, ZonesModify.self, ZonesChanges.self,
    SubscriptionsList.self, SubscriptionsLookup.self, SubscriptionsModify.self,
    UsersCurrent.self, UsersCaller.self, UsersDiscover.self, UsersLookupEmail.self,
    UsersLookupID.self,
    AssetsUpload.self, AssetsRereference.self,
  ])

  /// The requests to a device.
  static let ofDevice = table([TokensCreate.self, TokensRegister.self])

  private static func table(_ types: [any Endpoint.Type]) -> [String: any Endpoint.Type] {
    Dictionary(types.map { ($0.path, $0) }) { first, _ in first }
  }
}
