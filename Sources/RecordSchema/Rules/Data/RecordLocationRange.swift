extension SchemaRule {
  static let recordLocationRange = SchemaRule(
    id: "RECORD_LOCATION_RANGE", category: .data, defaultSeverity: .error,
    title: "Records have a location with invalid coordinates",
    effect: """
      A latitude is within -90 to 90 degrees, a longitude within -180 to 180. CLLocation accepts \
      other numbers and considers them invalid; the server's response has not been reported.
      """,
    remedy: "Save no value if the location is unknown.",
    evidence: [
      .apple(
        "CLLocationCoordinate2DIsValid: a coordinate is invalid beyond 90 degrees of latitude or "
          + "180 of longitude"),
      .inference("that the server rejects what Core Location considers invalid"),
    ],
    check: .data(hint: "save no value if the location is unknown"))
}
