import CloudInterface
import RecordModel

/// A request has a limited number of items and a limited size.
///
/// Sources: Apple's documentation of `CKError.Code.limitExceeded`; the message in sqlite-data #333.
enum RequestLimitRule {
  static func check(items count: Int, _ rules: ServerRules) throws(CloudError) {
    guard count > rules.maxItems else { return }
    throw error(items: count, maxItems: rules.maxItems)
  }

  static func error(items count: Int, maxItems: Int) -> CloudError {
    CloudError(
      .limitExceeded,
      "Your request contains \(count) items which is more than the maximum number of items in a "
        + "single request (\(maxItems))")
  }

  static func check(
    sizeOf saves: [RecordSave], _ rules: ServerRules
  ) throws(CloudError) {
    let size = saves.reduce(0) { $0 + Self.size(of: $1) }
    guard size > rules.maxRequestSize else { return }
    throw CloudError(
      .limitExceeded,
      "the request saves \(size) bytes of values; \(rules.maxRequestSize) bytes are allowed")
  }

  /// The size of the fields that are sent.
  private static func size(of save: RecordSave) -> Int {
    save.draft.fields.reduce(0) { size, field in
      guard save.draft.sends(field, all: save.sendsAllKeys) else { return size }
      return size + field.name.utf8.count + field.value.approximateSize
    }
  }
}
