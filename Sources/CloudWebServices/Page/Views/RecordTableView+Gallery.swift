import RecordModel
import RecordPages
import RecordText

/// The images of records.
extension RecordTableView {
  /// An asset that is an image; nil for another one.
  func picture(_ asset: Asset, _ field: Field, cssClass: String) -> HTML? {
    guard let sha256 = asset.sha256, AssetFileView(context: context).imageType(sha256) != nil else {
      return nil
    }
    let path = context.link(.asset, [("sha256", sha256)])
    let size = asset.size.map { ", " + Numbers.size($0) } ?? ""
    return """
      <img class="\(cssClass)" src="\(path)" alt="\(field.name + size)" loading="lazy">
      """
  }

  /// The first image of each record.
  func gallery(
    _ records: [ResultRecord], _ objects: [RecordID: ResultRecord], _ listing: RecordListing
  ) -> HTML {
    let items = records.compactMap { record -> HTML? in
      let fields = (objects[record.recordID] ?? record).fields
      let pictures = fields.lazy.flatMap { field -> [HTML] in
        if field.isEncrypted, !context.showsEncrypted { return [] }
        let assets: [Asset] =
          switch field.value {
          case .asset(let asset): [asset]
          case .assetList(let assets): Array(assets.prefix(1))
          default: []
          }
        return assets.compactMap { picture($0, field, cssClass: "picture") }
      }
      guard let picture = pictures.first else { return nil }
      let link = context.link(to: record.recordID, in: listing.database)
      return """
        <li><a class="picture" href="\(link)" tabindex="-1" aria-hidden="true">\(picture)</a>\
        \(context.anchor(record.recordID, in: listing.database))</li>
        """
    }
    guard !items.isEmpty else {
      return ConsoleRequest.empty("No record of this page has an image.")
    }
    return "<ul class=\"gallery\">\n\(items)\n</ul>"
  }
}
