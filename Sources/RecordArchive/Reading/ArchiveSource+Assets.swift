import RecordCoding
import RecordModel

extension ArchiveSource {
  /// The SHA-256 digests of the assets that records hold, those in fields of unknown types too.
  ///
  /// - Parameter filter: which records.
  public func assetDigests(of filter: RecordFilter) throws -> Set<String> {
    var digests: Set<String> = []
    try forEachRecord(filter) { record, _ in
      for field in record.fields {
        switch field.value {
        case .asset(let asset): if let digest = asset.sha256 { digests.insert(digest) }
        case .assetList(let assets): digests.formUnion(assets.compactMap(\.sha256))
        case .unknown(_, let json): try JSONValue(raw: json).collectDigests(into: &digests)
        default: break
        }
      }
    }
    return digests
  }
}

extension JSONValue {
  fileprivate func collectDigests(into digests: inout Set<String>) {
    for element in elements ?? [] { element.collectDigests(into: &digests) }
    for member in members ?? [] {
      if member.name == "sha256", let digest = member.value.string { digests.insert(digest) }
      member.value.collectDigests(into: &digests)
    }
  }
}
