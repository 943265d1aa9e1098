extension GenerationSamples {
  static let everyType = """
    DEFINE SCHEMA
      RECORD TYPE Thing (
        s1 STRING, s2 STRING, s3 STRING, s4 STRING, s5 STRING, s6 STRING, s7 STRING, s8 ENCRYPTED STRING,
        i1 INT64, i2 INT64, i3 INT64, i4 INT64, i5 INT64, i6 ENCRYPTED INT64, n1 NUMBER,
        d1 DOUBLE, d2 DOUBLE, d3 DOUBLE, d4 DOUBLE, t1 TIMESTAMP, t2 TIMESTAMP, t3 TIMESTAMP, t4 ENCRYPTED TIMESTAMP,
        b1 BYTES, b2 LIST<BYTES>, l1 LOCATION, l2 ENCRYPTED LOCATION, l3 LIST<LOCATION>,
        a1 ASSET, a2 ASSET, a3 ASSET, a4 LIST<ASSET>, r1 REFERENCE, r2 LIST<REFERENCE>,
        ls LIST<STRING>, li LIST<INT64>, ld LIST<DOUBLE>, lt LIST<TIMESTAMP>, e1 STRING, e2 INT64, e3 TIMESTAMP
      );
    """

  static let everyValue = """
    recordpack-recipe: 1
    environment: production
    reference-date: 2020-02-29
    locale: mixed
    types:
      Thing:
        zone: _defaultZone
        count: 40
        created: 1d..90d
        modified: 0.5
        fields:
          s1: {words: {weights: {1..2: 7, 3..9: 3}}}
          s2: {sentences: {weights: {0: 1, 1..4: 5}}}
          s3: {characters: {weights: {0: 1, 5..20: 3}}, locale: ja}
          s4: {choice: {low: 3, high: 1, "quoted \\"x\\"": 1}}
          s5: {pattern: "a#@?*-%\\\\%", unique: true}
          s6: {kind: uuid, unique: true}
          s7: {value: 5}
          s8: {words: 2, unique: true}
          i1: {weights: {1..10: 5, 11..1000: 5}}
          i2: {weights: {2..9: 1, 10..15: 3, 16..20: 1}}
          i3: {sequence: 100, step: -7}
          i4: {range: -50..50, unique: true}
          i5: {choice: [1, 2, 3]}
          i6: position
          n1: {range: 0..9}
          d1: {range: -1.5..1.5, decimals: 3}
          d2: latitude
          d3: longitude
          d4: {range: 1..6}
          t1: {date: 2001-01-01..2002-01-01, unique: true}
          t2: {created: 1h..2d}
          t3: modified
          t4: {value: 2024-02-29T12:00:00Z}
          b1: {bytes: 0..40}
          b2: {bytes: 3, list: 0..4}
          l1: {location: city}
          l2: {location: {latitude: 47..55, longitude: 6..15}}
          l3: {location: city, list: 2}
          a1: {asset: png, size: 84..900}
          a2: {asset: jpeg, size: 200..2kB}
          a3: {asset: text, size: 0..1KiB, null-rate: 0.3}
          a4: {asset: bytes, size: 10, variants: 3, list: 0..2}
          r1: {reference: Thing, action: delete-self, null-rate: 0.2}
          r2: {reference: Thing, list: 0..5}
          ls: {choice: [a, b, c], list: {weights: {0: 1, 1..4: 4}}}
          li: {range: 1..6, list: 3}
          ld: {range: 0..1, decimals: 1, list: 1..2}
          lt: {created: 0..1d, list: 1..2}
          e1: {expression: "upper(s7) + '-' + text(i3)"}
          e2: {expression: "i4 * 2"}
          e3: {expression: "t2 + 60"}
    """
}
