#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordCoding
  import RecordModel

  /// A container of CloudKit (`CKContainer`), for code that takes a `CloudContainer`.
  ///
  /// ```swift
  /// let container = CloudKitContainer(CKContainer.default())
  /// let store = NoteStore(container: container)
  /// ```
  ///
  /// Errors of CloudKit are thrown as `CloudError`.
  public struct CloudKitContainer: CloudContainer {
    /// The container of CloudKit.
    public let container: CKContainer
    /// Where the files of fetched assets are kept.
    public let assetFiles: AssetFiles

    /// Creates a container.
    ///
    /// - Parameters:
    ///   - container: The container of CloudKit.
    ///   - assetFiles: The folder that the files of fetched assets are copied to. The app removes
    ///     the files that it no longer needs.
    public init(_ container: CKContainer, assetFiles: AssetFiles = AssetFiles()) {
      self.container = container
      self.assetFiles = assetFiles
    }

    /// The identifier, such as `iCloud.com.example.app`.
    public var containerIdentifier: String? { container.containerIdentifier }

    /// Returns the database with a scope.
    public func database(with databaseScope: DatabaseScope) -> CloudKitDatabase {
      CloudKitDatabase(
        container.database(with: CKDatabase.Scope(databaseScope)), scope: databaseScope, of: self)
    }

    /// Returns whether the app can use the user's account.
    public func accountStatus() async throws -> AccountStatus {
      AccountStatus(try await callingCloudKit { try await container.accountStatus() })
    }

    /// Returns the identifier of the signed-in user's record.
    public func userRecordID() async throws -> RecordID {
      RecordID(try await callingCloudKit { try await container.userRecordID() })
    }

    /// Returns the record that CloudKit has fetched or saved, or its error.
    ///
    /// - Parameter clientRecord: The draft that was saved.
    func result(
      _ result: Result<CKRecord, any Error>, clientRecord: DraftRecord? = nil
    ) -> Result<ResultRecord, any Error> {
      Result {
        do {
          return try ResultRecord(try result.get(), keepingFilesIn: assetFiles)
        } catch {
          throw CloudError.converting(
            error, clientRecord: clientRecord, keepingFilesIn: assetFiles)
        }
      }
    }

    /// Returns the status of the account each time that CloudKit posts `CKAccountChanged`.
    public func accountChanges() -> AsyncStream<AccountStatus> {
      AsyncStream { continuation in
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        let observer = AccountObserver { change.yield() }
        // One after the other: the last status must be that of the last change.
        let reader = Task {
          for await _ in changes {
            let status = try? await accountStatus()
            continuation.yield(status ?? .couldNotDetermine)
          }
        }
        continuation.onTermination = { _ in
          observer.stop()
          reader.cancel()
        }
      }
    }
  }

  /// Runs a call of CloudKit, and converts its error.
  func callingCloudKit<Value>(
    isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> sending Value
  ) async throws -> sending Value {
    do {
      return try await call()
    } catch {
      throw CloudError.converting(error)
    }
  }
#endif
