#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  extension CloudKitDatabase {
    /// Fetches all subscriptions of the user to the database. One that RecordPack does not know, such
    /// as of a later version of CloudKit, is left out; ``allSubscriptionResults()`` has its error.
    public func allSubscriptions() async throws -> [CloudSubscription] {
      try await allSubscriptionResults().compactMap { try? $0.result.get() }
    }

    /// Fetches all subscriptions of the user to the database, with an error for each one that
    /// RecordPack does not know.
    public func allSubscriptionResults() async throws
      -> [(subscriptionID: String, result: Result<CloudSubscription, any Error>)]
    {
      try await callingCloudKit { try await database.allSubscriptions() }.map { subscription in
        (subscription.subscriptionID, Result { try CloudSubscription(subscription) })
      }
    }

    /// Fetches subscriptions by their identifiers.
    public func subscriptions(
      for ids: [String]
    ) async throws -> [String: Result<CloudSubscription, any Error>] {
      try await callingCloudKit { try await database.subscriptions(for: ids) }
        .mapValues { result($0) }
    }

    /// Saves and deletes subscriptions.
    ///
    /// - Throws: `CloudError`: `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express; nothing is saved then.
    public func modifySubscriptions(
      saving subscriptionsToSave: [CloudSubscription], deleting subscriptionIDsToDelete: [String]
    ) async throws -> (
      saveResults: [String: Result<CloudSubscription, any Error>],
      deleteResults: [String: Result<Void, any Error>]
    ) {
      let subscriptions = try subscriptionsToSave.map { try $0.ckSubscription() }
      let results = try await callingCloudKit {
        try await database.modifySubscriptions(
          saving: subscriptions, deleting: subscriptionIDsToDelete)
      }
      return (
        results.saveResults.mapValues { result($0) },
        results.deleteResults.mapValues { $0.mapError { CloudError.converting($0) } }
      )
    }

    private func result(
      _ result: Result<CKSubscription, any Error>
    ) -> Result<CloudSubscription, any Error> {
      result.mapError { CloudError.converting($0) }
        .flatMap { subscription in Result { try CloudSubscription(subscription) } }
    }
  }
#endif
