extension SchemaRule {
  static let recordLocationRange = SchemaRule(
    "RECORD_LOCATION_RANGE", .data, .error,
    title: "Records hold a place that is not on the globe",
    effect: """
      A latitude is -90 to 90 degrees, a longitude -180 to 180. CLLocation holds other numbers too \
      and calls them invalid; nobody has reported what the server says to them.
      """,
    remedy: """
      Write no value where the place is not known.
      """,
    evidence: [
      Evidence(
        .apple,
        "CLLocationCoordinate2DIsValid: a coordinate is invalid beyond 90 degrees of latitude or 180 "
          + "of longitude"),
      Evidence(.inference, "that the server refuses what Core Location calls invalid"),
    ],
    check: .records { judgement, sink in
      judgement.report(
        "RECORD_LOCATION_RANGE", hint: "write no value where the place is not known", to: &sink)
    })
}
