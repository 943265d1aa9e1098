import Foundation
import RecordModel
import RecordSchema

/// An error of an export, an import, a validation, a download or another run of the archiver. Nothing
/// was written then, except by a download, whose file stays as the last page left it.
public enum ArchiveError: Error, Sendable {
  /// The stages do not fit together, or do not fit the sources.
  case unsupported(String)
  /// A record exists with other content, and the policy is `.fail`.
  case recordConflict(RecordConflict)
  /// A zone exists with another description, and the policy is `.fail`.
  case zoneConflict(ZoneID, DatabaseScope)
  /// A subscription exists with other content, and the policy is `.fail`.
  case subscriptionConflict(String, DatabaseScope)
  /// A user of the container has another name or address in the source, and the policy is `.fail`.
  case userConflict(String)
  /// The schemas of a source and of the container differ in an element that both have, and the policy is
  /// `.fail`.
  case schemaConflict(source: String, String)
  /// The source and the container have private or shared records of different signed-in users.
  case otherUser(source: String, user: String, containerUser: String)
  /// The records of the source have another schema version than those of the container.
  case otherVersion(source: String, version: String, containerVersion: String)
  /// The responses contain only errors, or content that cannot be read; the first of them.
  case onlyErrors(String)
  /// These databases have content, but a response can contain only one.
  case severalDatabases([DatabaseScope])
  /// The response would exceed the size that an import accepts, in bytes.
  case responseTooLarge(limit: Int)
  /// Records do not match the schema.
  case validationFailed(SchemaReport)
  /// There is no schema to validate against.
  case noSchema(source: String)
  /// A temporary file cannot be written or read.
  case temporaryFile(String)
  /// The file that the environment names for a container cannot be read; see
  /// ``MockCloud/MockContainer/fixture(environment:rules:now:)``.
  case fixtureVariable(any Error)
  /// The server does not respond to a download, or rejects a request permanently: the error of the
  /// last request, and a report of the parts that are complete.
  case downloadInterrupted(CloudError, DownloadReport)
  /// The container has contents that no download put there.
  case notADownload
  /// The file is a download of another container or account.
  case otherAccount
  /// The file was downloaded with other options: encrypted values or assets.
  case otherOptions
  /// Another download is writing to the file.
  case changedElsewhere
  /// A newer version of this library has written the state of the download.
  case newerDownload
  /// The public database needs record types, or a schema that has them.
  case noRecordTypes

  /// The two records of a conflict.
  public struct RecordConflict: Sendable, Hashable {
    /// The database.
    public var database: DatabaseScope
    /// The identity of both records.
    public var recordID: RecordID
    /// The existing record: type, change tag and modification date.
    package var existing: String
    /// The incoming record, likewise.
    package var incoming: String
    /// The names of the fields that differ.
    package var differingFields: [String]
  }
}

extension ArchiveError: CustomStringConvertible, LocalizedError {
  /// The error with advice, where there is any.
  public var description: String {
    recoverySuggestion.map { "\(reason). \($0)" } ?? reason
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  private var reason: String {
    switch self {
    case .unsupported(let reason), .temporaryFile(let reason): reason
    case .recordConflict(let conflict):
      "record '\(conflict.recordID)' of the \(conflict.database) database already exists: "
        + "it is \(conflict.existing), the imported one \(conflict.incoming)"
        + (conflict.differingFields.isEmpty
          ? "" : "; they differ in \(conflict.differingFields.joined(separator: ", "))")
    case .zoneConflict(let zoneID, let scope):
      "zone '\(zoneID)' of the \(scope) database already exists with another description"
    case .subscriptionConflict(let id, let scope):
      "subscription '\(id)' of the \(scope) database already exists with other content"
    case .userConflict(let user):
      "the user '\(user)' already exists with another name or address"
    case .schemaConflict(let source, let element):
      "\(source) has another schema than the container: they differ in \(element)"
    case .otherUser(let source, let user, let containerUser):
      "\(source) has the private data of the user '\(user)', and the container that of '\(containerUser)'"
    case .otherVersion(let source, let version, let containerVersion):
      "\(source) has the schema version '\(version)', and the container '\(containerVersion)'"
    case .onlyErrors(let first): "the responses contain only errors: \(first)"
    case .severalDatabases(let databases):
      "\(databases.count) databases have records, and a response contains only one"
    case .responseTooLarge(let limit):
      "the response would exceed \(limit) bytes, the limit of import"
    case .validationFailed(let report):
      "the records of \(report.records?.source ?? "the source") do not match \(report.to): "
        + report.findings.prefix(3).map { "\($0.rule) \($0.subject)" }.joined(separator: ", ")
        + (report.findings.count > 3 ? " and \(report.findings.count - 3) more" : "")
        + ". Nothing was written"
    case .noSchema(let source): "\(source) has no schema"
    case .fixtureVariable(let error):
      "the environment variable RECORDPACK_FIXTURE: \(error)"
    case .downloadInterrupted(let error, let report):
      "the download was interrupted: \(error). "
        + (report.complete.isEmpty
          ? "Nothing is complete yet"
          : "Complete: \(report.complete.map(\.description).joined(separator: ", "))")
    case .notADownload: "the container has contents that were not downloaded"
    case .otherAccount: "the file is a download of another container or account"
    case .otherOptions:
      "the file was downloaded with another choice of encrypted values or assets"
    case .changedElsewhere: "another download is writing to the file"
    case .newerDownload: "a newer version of RecordPack has begun this download"
    case .noRecordTypes:
      "the public database has no change feed: a download needs the record types to query"
    }
  }

  /// The next step, if one is known.
  public var recoverySuggestion: String? {
    switch self {
    case .recordConflict, .zoneConflict, .subscriptionConflict, .userConflict, .schemaConflict:
      "Nothing was imported; use --on-conflict keep or replace"
    case .otherUser:
      "Nothing was imported; import it into a container of its own, or only its public records with "
        + "--database public"
    case .otherVersion(_, let version, let containerVersion):
      "Nothing was imported; if '\(containerVersion)' is the newer version, migrate the source with "
        + "--plan PLANS; if '\(version)' is, migrate the container first: 'recordpack migrate "
        + "CONTAINER --plan PLANS --to-version \(version.shellWord) --in-place'"
    case .severalDatabases(let databases):
      "Choose it with --database " + databases.map(\.rawValue).joined(separator: " or ")
    case .responseTooLarge:
      "Select a part with --zone, --type or --since, or export a bundle"
    case .noSchema: "Name one with --schema, or create one with 'recordpack schema infer'"
    case .downloadInterrupted: "Run it again to go on"
    case .notADownload: "Download into an empty container"
    case .otherAccount, .otherOptions: "Download into another file"
    case .unsupported, .temporaryFile, .onlyErrors, .validationFailed, .fixtureVariable,
      .changedElsewhere, .newerDownload, .noRecordTypes:
      nil
    }
  }
}
