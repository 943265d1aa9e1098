import RecordModel

extension AccountTransaction {
  /// Returns the subscriptions of the user to the database, by identifier.
  func subscriptions() throws -> [CloudSubscription] {
    guard let account = view.account else { return try base.subscriptions(in: scope) }
    return try base.info().account(account)?.subscriptions(to: scope) ?? []
  }

  /// Adds a subscription, or replaces the one with the same identifier.
  func save(_ subscription: CloudSubscription) throws {
    guard view.account != nil else { return try base.save(subscription, in: scope) }
    try changeSubscriptions { subscriptions in
      subscriptions.removeAll { isSubscription($0, subscription.subscriptionID) }
      subscriptions.append(.init(subscription, to: scope))
    }
  }

  /// Deletes a subscription if it exists.
  func deleteSubscription(_ id: String) throws {
    guard view.account != nil else { return try base.deleteSubscription(id, in: scope) }
    try changeSubscriptions { $0.removeAll { isSubscription($0, id) } }
  }

  private func isSubscription(
    _ subscription: ContainerAccount.Subscription, _ id: String
  ) -> Bool {
    subscription.databaseScope == scope
      && subscription.subscription.subscriptionID.sameScalars(as: id)
  }

  private func changeSubscriptions(
    _ body: (inout [ContainerAccount.Subscription]) -> Void
  ) throws {
    var info = try base.info()
    guard let account = view.account, let index = info.index(ofAccount: account) else { return }
    body(&info.accounts[index].subscriptions)
    info.accounts[index].subscriptions.sort { a, b in
      a.databaseScope != b.databaseScope
        ? a.databaseScope < b.databaseScope
        : compareUTF8(a.subscription.subscriptionID, b.subscription.subscriptionID) < 0
    }
    try base.setInfo(info)
  }
}

extension ContainerInfo {
  func index(ofAccount userRecordName: String) -> Int? {
    accounts.firstIndex { $0.userRecordName.sameScalars(as: userRecordName) }
  }

  func account(_ userRecordName: String) -> ContainerAccount? {
    index(ofAccount: userRecordName).map { accounts[$0] }
  }
}
