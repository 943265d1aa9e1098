import MockCloud
import RecordModel

/// A user that is added to a served container, so that a client can try sharing.
package struct WebUser: Sendable {
  /// The record name, which is the user's `ckWebAuthToken` where no tokens are set.
  package var recordName: String
  /// The name; nil to keep what is known.
  var nameComponents: UserIdentity.NameComponents?
  /// An address by which others find the user; nil to keep what is known.
  package var emailAddress: String?
  /// A number by which others find the user; nil to keep what is known.
  var phoneNumber: String?

  package init(_ recordName: String, emailAddress: String? = nil) {
    self.recordName = recordName
    self.emailAddress = emailAddress
  }

  init(_ body: inout RequestBody) throws {
    recordName = try body.required("userRecordName")
    nameComponents = try body.value("nameComponents")
    emailAddress = try body.value("emailAddress")
    phoneNumber = try body.value("phoneNumber")
  }

  /// Adds the user to a container.
  ///
  /// - Throws: `CloudError`: `invalidArguments` for a name that no user can have;
  ///   `ContainerStoreError` for a container that cannot be changed.
  package func add(to container: MockContainer) throws {
    _ = try container.account(
      recordName, nameComponents: nameComponents, emailAddress: emailAddress,
      phoneNumber: phoneNumber)
  }
}
