// The one place that knows CloudKit. It needs the module RecordPackCloudKit among the dependencies of
// this target, which has no product yet: so it was neither compiled nor run.
#if canImport(CloudKit) && canImport(RecordPackCloudKit)
  import CloudKit
  import RecordPackCloudKit

  extension NoteLibrary {
    /// Creates the library of the app, in the container that its entitlements name.
    public init(files: StateFiles) throws {
      try self.init(container: CloudKitContainer(CKContainer.default()), files: files)
    }
  }
#endif
