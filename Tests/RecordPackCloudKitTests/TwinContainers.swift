#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import RecordPackCloudKit
  import TestSupport
  import Testing

  /// A mock container, and another one behind MockCloudKit and the bridge: what the first one
  /// answers, the second one must answer, too.
  struct TwinContainers {
    static let date = Date(timeIntervalSinceReferenceDate: 785_000_000.125)

    let mock: MockContainer
    let twin: MockContainer
    let bridged: CloudKitContainer
    private let folder: TestFolder

    init(rules: ServerRules = .native) throws {
      let info = ContainerInfo(currentUserRecordName: "_mira")
      // Random references lead anywhere.
      var rules = rules
      rules.missingOwner = .accepted
      mock = try MockContainer.inMemory(info: info, rules: rules, now: { Self.date })
      twin = try MockContainer.inMemory(info: info, rules: rules, now: { Self.date })
      folder = try TestFolder()
      bridged = CloudKitContainer(
        CKContainer(mock: twin), assetFiles: AssetFiles(folder: URL(filePath: folder.path)))
    }
  }

  /// The result of a call, as CloudKit's framework tells it: two of them can be compared.
  enum Told<Value: Equatable>: Equatable {
    case success(Value)
    case failure(CloudError.Code, String)

    /// Returns the result of a call.
    init(_ call: () async throws -> Value) async {
      do {
        self = .success(try await call())
      } catch {
        self.init(error)
      }
    }

    init<Source>(_ result: Result<Source, any Error>, _ tell: (Source) -> Value) {
      switch result {
      case .success(let value): self = .success(tell(value))
      case .failure(let error): self.init(error)
      }
    }

    private init(_ error: any Error) {
      let error = error as? CloudError
      self = .failure(error?.code ?? .internalError, error?.message ?? "not an error of CloudKit")
    }
  }

  extension Dictionary {
    /// The results of items, as CloudKit's framework tells them.
    func told<Source, Item: Equatable>(
      _ tell: (Source) -> Item
    ) -> [Key: Told<Item>] where Value == Result<Source, any Error> {
      mapValues { Told($0, tell) }
    }
  }
#endif
