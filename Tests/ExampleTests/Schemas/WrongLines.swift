import Foundation

/// Lines that break one rule each, made from lines that break none.
enum WrongLines {
  private static let zoneID = #""zoneID":{"zoneName":"Z","ownerRecordName":"__defaultOwner__"}"#
  private static let digest = String(repeating: "0a", count: 32)

  private static let header =
    #"{"kind":"header","format":"recordpack","formatVersion":1,"requires":["flags"],"#
    + #""shard":{"number":2,"previousSHA256":"\#(digest)"},"app":{"any":null}}"#
  private static let zone =
    #"{"kind":"zone","database":"private",\#(zoneID),"capabilities":["ATOMIC"]}"#
  private static let record =
    #"{"kind":"record","database":"private",\#(zoneID),"recordType":"T","recordName":"n","fields":"#
    + #"{"i":{"type":"INT64","isEncrypted":true,"value":1},"t":{"type":"TIMESTAMP","value":2},"#
    + #""b":{"type":"BYTES","value":"AQ=="},"l":{"type":"LOCATION","value":{"latitude":1,"longitude":2}},"#
    + #""r":{"type":"REFERENCE","value":{"recordName":"m","action":"NONE"}},"#
    + #""s":{"type":"STRING_LIST","value":["a"]},"a":{"type":"ASSET","value":{"sha256":"\#(digest)"}},"#
    + #""u":{"type":"UNKNOWN_LIST","value":["kept"]},"#
    + #""f":{"type":"FUTURE","value":{"any":null}}}}"#
  private static let share =
    #"{"kind":"record","database":"private",\#(zoneID),"recordType":"cloudkit.share","#
    + #""recordName":"s","fields":{},"participants":[{"type":"OWNER"}],"publicPermission":"NONE"}"#
  private static let tombstone =
    #"{"kind":"tombstone","database":"private",\#(zoneID),"recordName":"n","deleted":1}"#
  private static let zoneTombstone = #"{"kind":"zoneTombstone","database":"private",\#(zoneID)}"#
  private static let query =
    #"{"kind":"subscription","database":"public","subscriptionID":"s","subscriptionType":"query","#
    + #""query":{"recordType":"T","filterBy":[{"comparator":"EQUALS","fieldName":"f","#
    + #""fieldValue":{"type":"INT64","value":1}}]},"firesOn":["create"]}"#
  private static let asset =
    #"{"kind":"asset","sha256":"\#(digest)","size":1,"offset":0,"data":"AQ=="}"#
  private static let index =
    #"{"kind":"index","contentHash":"0123456789abcdef","lines":2,"bytes":9,"sections":[{"kind":"record","#
    + #""database":"private",\#(zoneID),"recordType":"T","lines":1,"bytes":5,"firstFrame":1,"#
    + #""lastFrame":1}],"frames":[{"offset":0,"compressedSize":20,"size":4,"lines":1,"#
    + #""sha256":"\#(digest)"},{"offset":20,"compressedSize":21,"size":5,"lines":1,"first":"n","#
    + #""sha256":"\#(digest)"}]}"#

  static let originals = [
    header, zone, record, share, tombstone, zoneTombstone, query, asset, index,
  ]

  /// What is replaced in which line, and by what.
  private static let changes: [(line: String, from: String, to: String)] = [
    (header, #""kind":"header","#, ""),
    (header, #""kind":"header""#, #""kind":"footer""#),
    (header, #""formatVersion":1"#, #""formatVersion":2"#),
    (header, "recordpack", "recordpock"),
    (header, #""number":2"#, #""number":0"#),
    (header, #""number":2"#, #""number":1"#),
    (header, #","previousSHA256":"\#(digest)""#, ""),
    (header, "previousSHA256", "previousContentDigest"),
    (header, #"["flags"]"#, "[]"),
    (header, #"["flags"]"#, #"["flags","flags"]"#),
    (header, #"["flags"]"#, #""flags""#),
    (header, #"["flags"]"#, "[1]"),
    (zone, #""database":"private""#, #""database":"secret""#),
    (zone, #","ownerRecordName":"__defaultOwner__""#, ""),
    (zone, "__defaultOwner__\"", "__defaultOwner__\",\"zoneType\":\"X\""),
    (zone, "ATOMIC", "FLY"),
    (zone, #""zoneName":"Z""#, #""zoneName":"""#),
    (zone, "__defaultOwner__", ""),
    (record, #""recordName":"n""#, #""recordName":"""#),
    (record, #""recordType":"T""#, #""recordType":"""#),
    (tombstone, #""recordName":"n""#, #""recordName":"""#),
    (query, #""subscriptionID":"s""#, #""subscriptionID":"""#),
    (zone, #","capabilities":["ATOMIC"]"#, ""),
    (record, #""recordType":"T","#, ""),
    (record, #""isEncrypted":true"#, #""isEncrypted":false"#),
    (record, #""value":1}"#, #""value":1.5}"#),
    (record, #""value":1}"#, #""value":9223372036854775808}"#),
    (record, #""value":1}"#, #""value":"1"}"#),
    (record, #","value":1}"#, "}"),
    (record, #""value":2}"#, #""value":"2001-01-01"}"#),
    (record, "AQ==", "AQ"),
    (record, "AQ==", "AR=="),
    (record, #","longitude":2"#, ""),
    (record, #""action":"NONE""#, #""action":"MAYBE""#),
    (record, #"["a"]"#, "[1]"),
    (record, digest, digest.uppercased()),
    (record, "\(digest)\"", "\(digest)\",\"size\":-1"),
    (share, #"[{"type":"OWNER"}]"#, #"{"type":"OWNER"}"#),
    (share, #""type":"OWNER""#, #""type":1"#),
    (tombstone, #""deleted":1"#, #""deleted":true"#),
    (zoneTombstone, #""}}"#, #""},"recordName":"n"}"#),
    (zoneTombstone, #""}}"#, #""},"reason":"deleted"}"#),
    (tombstone, #""deleted":1"#, #""recordChangeTag":1"#),
    (query, #""subscriptionType":"query""#, #""subscriptionType":"zone""#),
    (query, #""subscriptionType":"query""#, #""subscriptionType":"dream""#),
    (query, "EQUALS", "SMELLS_LIKE"),
    (query, #"["create"]"#, "[]"),
    (asset, #""offset":0"#, #""offset":5"#),
    (asset, #""data":"AQ==""#, #""data":"AQ==","receipt":"x""#),
    (asset, digest, digest.uppercased()),
    (asset, #""size":1"#, #""size":9223372036854775808"#),
    (asset, #""offset":0"#, #""offset":9223372036854775808"#),
    (index, #""offset":20"#, #""offset":9223372036854775808"#),
    (index, #""lines":1,"bytes":5"#, #""lines":1,"bytes":9223372036854775808"#),
    (index, #""kind":"record""#, #""kind":"header""#),
    (index, #""firstFrame":1,"#, ""),
    (index, #""firstFrame":1"#, #""firstFrame":0"#),
    (index, #""compressedSize":20"#, #""compressedSize":0"#),
    (index, "contentHash", "contentDigest"),
    (index, "0123456789abcdef", "0123456789ABCDEF"),
    (index, "0123456789abcdef", "123456789abcdef"),
    (index, #""first":"n""#, #""first":null"#),
    (index, #""bytes":9"#, #""bytes":9,"app":1"#),
  ]

  static let all: [String] =
    changes.map { $0.line.replacingOccurrences(of: $0.from, with: $0.to) } + [
      "not JSON", "[]", "{}",
    ]
}
