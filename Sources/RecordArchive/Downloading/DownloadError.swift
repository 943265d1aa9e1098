import RecordModel

import protocol Foundation.LocalizedError

/// An error of a download. The file stays as the last page left it.
public enum DownloadError: Error, Sendable, Hashable {
  /// The server does not answer, or refuses a request for good. Run the download again to go on.
  ///
  /// - error: the error of the last request.
  /// - report: what is complete, and what is not.
  case interrupted(CloudError, DownloadReport)
  /// The container has contents that no download put there.
  case notADownload
  /// The file is a download of another container or account.
  case otherAccount
  /// The file was downloaded with other options: encrypted values or assets.
  case otherOptions
  /// Another download is writing to the file.
  case changedElsewhere
  /// A newer version of this library has written the state of the download.
  case newerVersion
  /// The public database needs record types, or a schema that has them.
  case noRecordTypes
}

extension DownloadError: CustomStringConvertible, LocalizedError {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .interrupted(let error, let report):
      "the download was interrupted: \(error). "
        + (report.complete.isEmpty
          ? "Nothing is complete yet"
          : "Complete: \(report.complete.map(\.description).joined(separator: ", "))")
        + ". Run it again to go on"
    case .notADownload:
      "the container has contents that were not downloaded; download into an empty container"
    case .otherAccount:
      "the file is a download of another container or account; download into another file"
    case .otherOptions:
      "the file was downloaded with another choice of encrypted values or assets; download into "
        + "another file"
    case .changedElsewhere: "another download is writing to the file"
    case .newerVersion: "a newer version of RecordPack has begun this download"
    case .noRecordTypes:
      "the public database has no change feed: a download needs the record types to query"
    }
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
