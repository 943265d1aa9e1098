extension GenerationSamples {
  private static let fields = """
    s STRING, s2 STRING, i INT64, d DOUBLE, t TIMESTAMP, by BYTES, loc LOCATION, r REFERENCE,
    a ASSET, ls LIST<STRING>, li LIST<INT64>, ld LIST<DOUBLE>, lt LIST<TIMESTAMP>, lb LIST<BYTES>,
    ll LIST<LOCATION>, lr LIST<REFERENCE>, la LIST<ASSET>
    """

  /// Types with a field of each kind, and short names that no guess knows.
  static let shortNames = """
    DEFINE SCHEMA
      RECORD TYPE A (
        \(fields), es ENCRYPTED STRING, ei ENCRYPTED INT64, et ENCRYPTED TIMESTAMP
      );
      RECORD TYPE B ( \(fields) );
      RECORD TYPE C ( s STRING, i INT64, r REFERENCE, lr LIST<REFERENCE> );
      RECORD TYPE Users ( roles LIST<INT64>, nick STRING );
    """
}
