import RecordModel

extension ResultRecord {
  /// The digests of the assets the record refers to, including those in values of unknown types
  /// (see ``AssetReferences``).
  ///
  /// Only fields that may contain assets are decoded.
  package var assetDigests: [String] {
    var digests: [String] = []
    for index in 0..<storage.fieldCount {
      switch storage.valueType(at: index) {
      case .asset, .assetList, nil: break
      default: continue
      }
      switch storage.field(at: index).value {
      case .asset(let asset): if let sha256 = asset.sha256 { digests.append(sha256) }
      case .assetList(let assets): digests += assets.compactMap(\.sha256)
      case .unknown(_, let json):
        var text = json.text
        text.withUTF8 {
          AssetReferences.forEach(in: UnsafeRawBufferPointer($0)) {
            digests.append($0.description)
          }
        }
      default: break
      }
    }
    return digests
  }
}
