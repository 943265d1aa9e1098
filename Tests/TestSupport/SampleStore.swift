import Foundation

/// The store of an app with Core Data, as SQL: folders with notes, a draft, which is a sub-entity of
/// notes, steps of a note without a relationship back, and tags of notes. `app_stores.py` made its model.
package enum SampleStore {
  package static let uuid = "7B1C6C0E-1E5B-4B63-9C55-0D3A2E8F4A10"

  /// The tables, indexes and model, without objects.
  package static var emptySQL: String {
    """
    PRAGMA journal_mode = WAL;
    CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR,
      ZID BLOB);
    CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISPINNED INTEGER,
      ZFOLDER INTEGER, ZEDITED TIMESTAMP, ZLATITUDE FLOAT, ZLONGITUDE FLOAT, ZTITLE VARCHAR,
      ZREASON VARCHAR, ZPHOTO BLOB);
    CREATE TABLE ZSTEP (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER,
      Z2STEPS INTEGER, ZTEXT VARCHAR);
    CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_2TAGS (Z_2NOTES INTEGER, Z_5TAGS INTEGER, PRIMARY KEY (Z_2NOTES, Z_5TAGS));
    CREATE UNIQUE INDEX Z_Tag_UNIQUE_name ON ZTAG (ZNAME COLLATE BINARY ASC);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
      Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 0), (2, 'Note', 0, 0), (3, 'Draft', 2, 0),
      (4, 'Step', 0, 0), (5, 'Tag', 0, 0);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_METADATA VALUES (1, '\(uuid)', X'\(hex(plist))');
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    INSERT INTO Z_MODELCACHE VALUES (X'\(hex(model))');
    """
  }

  /// The objects: a folder with a note and a draft, a note without a folder, steps and tags.
  package static let objectsSQL = """
    INSERT INTO ZFOLDER VALUES (1, 1, 1, 'Work', X'3A000000000040008000000000000AAA');
    INSERT INTO ZNOTE VALUES
      (1, 2, 1, 1, 1, 700000000.5, 47.5, 8.25, 'Plans', NULL, X'01FFD8FF'),
      (2, 3, 3, 0, 1, 700000060, NULL, NULL, 'Letter', 'unfinished', NULL),
      (4, 2, 1, NULL, NULL, NULL, NULL, NULL, 'Grüße', NULL, NULL);
    INSERT INTO ZSTEP VALUES (1, 4, 1, 1, 1, 'first'), (2, 4, 1, 2, 1, 'second'),
      (3, 4, 1, 7, NULL, 'alone');
    INSERT INTO ZTAG VALUES (1, 5, 1, 'red'), (2, 5, 1, 'blue');
    INSERT INTO Z_2TAGS VALUES (1, 1), (1, 2), (2, 1);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Folder';
    UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Note';
    UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Step';
    UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Tag';
    """

  private static func hex(_ base64: String) -> String {
    (Data(base64Encoded: base64) ?? Data()).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }.joined()
  }

  /// The model, compressed as in `Z_MODELCACHE`, in base64.
  package static let model = """
    dVYJeFTVFf7v29+wJCFASFgDYYcQICwCAoGAhmVYJhNCWMIk85IMTGbGmTeQsHnYFZGlFCkWERIoUETE0EVrWyqlKAVU\
    Vlul1hYtFBBrAZFS9c6bmAAhM983k3fPf/6z/TdnCgJeT8hMSzsLBgEiJMhQWF/Wf2qKK1hY4plrBHNT/AWzjUIzlJ1i\
    +gO5Kfwo5PH78mNj7I6xRrnhzqgGHohdBhUaYvg7FkloifZIRS/0RTr6oT8e42ep/GkknoCDn6UjB9MwHfmYBTcMeDAb\
    fgTwFMKYi3IsxBIs554x3Oc5rMN6/r0Bm/ACNnO/fO7j4fh+3LIJP8Wr/H2Anx/ill9x25vc+luL7zDnO4I/4ThO4b1q\
    vtPVfOctvr/ex3eqmvFv/PwF/Bd38A3u4f/8+x5j3Gc905DEGllVrWOROvuypqwlS2YprAvrynqwNGeKL+z1noEOGxqg\
    IRqhcU5KodcVCuXZHaN8psf0GKH82KZ2R060l1lug58WefgTLaXFtCRntN/rNoLnOEUcmiAeTdEMzZGAFkicXs1RbneV\
    GvxhYtAfMII1lJMNn6vU4yuu5ZxhdzjCHGJYXtSUBIonkZDNgcZptEJrtEHb3GiGRigv+kfEWIm2aIfk/NjmdkeGaQY9\
    BWHTyDRChUFPwLQ00Kwmfvl957l2xwRLM+d5AR2Qgo7ohM7ogq7ohu7ogZ6Wemoos8sDxky7I9MocoW9Zo7LGzZ4p0Z7\
    XcUhrjBeY1ZogkXs8s6sDRipn5Q44S3ictNJnuxxPxwvDb2teH3ipHEE0pw+v2mEsu38M6fIanG0/gEYWImB0VoTIz30\
    uiLhQiWewH1lXeDsgzjzYM49BI9jKIZx7u4YjgyMmB7J32uYxuSwN5L9eFfZSH/YZ+bHtsiPmEKmx2eR1g4vPzaJm7J8\
    kRtl3B/TqqxRLCMbNaCG0RQzMaoSozA6kmI8pw+brgKvkekptPoSjHSp9iGivSeRhTEYiwlT7I7UOUZ5RHyp1VeZmlRi\
    HMbDTjEUS3GVmIhJmEwq6dQ4Gi4bzgo4q4NFU76vEw8KcwpyMRV51IyGUHOCk4O9Rt3Rz7BGMZPPoUWuJzTR4/MZdQbm\
    QoGFKowT23FgUo7h9ph1YUUotmAlceJyDmvlDJT4Tf/DqDnwopSjfHHiZa4Rido4A15XoZEb6bQZdtfJMYiQRWvGsZuc\
    Nnmq1+8rrgc5z0KWcViHaMfmY0EFFiCZtzsjGHSVn+YuWViExdSxAk+DqD2lRJFLsWwnlv1wt9raHSP9pQF/iBf6qEt2\
    wQq9oib4SqzCM3jWCr/aGk+N+yivUcpveYg6x2np1Inn1u7Rmh2GNXgea6krdaPu2Sa/Z45sV3F9+v4RNuLH1JNSqZcz\
    ZBqBULaDf9aH/gm24EXqTX0ItTLcil178BK24WVsxw5UoBI7KZ36UX8aQAPpMRpEg/fgZ9iNPdiLn2MfXsF+SqSW1Jra\
    UhfqQWnU15kZdBWZD2rvNRzE66iix8mgoZRQV3W/sBr1S96L4XXF9mvL+AY3jqgrsd9YRv7fhTLrKut3lrJ+z42j62rj\
    D5bn29yYVdf4R8t4lBvH/iCRYxV4B+/SGBr3qGH/GScsl5M0njs9mRM0XCG/r26l71uoDzhmQn1TP4OzOEeTaDI56hvf\
    BXyIv5CTcmhKfZCP8DEu0lTKu3/Cn+DKXvwdn+If+Ccu4TN8jn/hMk2nGTST8mkWuaiACsm9F//GVVzDdXyBG/gS/8FX\
    lEEjaRQ9QXaaSNmUS9MenPFN3MJtfE1F5KdivrdMo+wRm+WuVf7/ePmeHF+4tMAIPoz5Ft9FMAyxbo6aU5M7E5hcwUQm\
    USn5KpjCVJpN3gdyYDqzsQasIQVoAT1FqBOeNbaoYzhxqJ6+sTjWhMVTmObSvNrYzViLCtacJVA5za9giSyJTCqrFgZr\
    tYu1RhVrw9qydiTRMCqh6MZi7VmHStYhug74dh7r88/z8V0Zqt0BvTkJ68g6sc45cyMbNUSLaKGzd2paalqUohvrXsG6\
    I9nJfx8YphWS9WSpRDtYL3o6iunN+lSwPpEgTSMrzecqNtzR1T7e7za8H7B01i876PebxJqArdzOf/4l8sb04Ht3EMYx\
    J5vGSpifzWcb2Ea2iW1m21gVO8xOskvsK3aT3WZ32F12T2CCTYgX2ggdhaFCjpAvlAmrhS3CTuGgcFh4WzgqHBPeFY4L\
    J4T3hMvCVeG6cEO4JdwVmWgT48Se4hhxilggLhJfFLeK28TtYoW4U9wvHhKPixfES+I18WvxGwmSIEmSIjWSYqQ4KV5q\
    JSVLA6Rxkl2aKE2WsqU8KSSFpXkSSVukrdI2abu0WzosHZGOSsekk9Ln0hXpqnRduiHdkr6VE+QkuZXcRu4iZ8gj5VGy\
    XXbI02S3XCTPkUtlv1wmL5Er5cPyeflD+SP5ovyJ/Kn8rQJFUCRFVxop3ZQeSqqSpvRXBiu5Sp4yXZmpzFEWKosVUpYq\
    y5WVyjPKamWN8pLysrJDqVR2KbuVvco+Zb9SpbyjHFdOKKeU95UrylXluqqommpTO6gd1c7qcHWEmqnOUPNVlzpfXagu\
    Vlepa9S16np1v3pAPahWqW+qZ9Rz6gX1pnpbvaPe1RK0RK2l1lobpA3RhmrDtfHaLK1Ac2tFWok2W/NqPi2gBbUV2irt\
    We057XltnbZB26ht0jZrr2ivaq9pr2uHtDe009pZ7bx2Ubut3dHuavd0XW+sx+pN9AQ9UW+pp+l99HS9vz5Qn6Q7dKce\
    1E19rl6mr9BX62v0tfpGfZO+Wd+u79P36wf0g3qV/pZ+RP9Y/0y/pn+hf6nf1r+zSTabLd7WzNbClmTrYOtiG2bLtGXZ\
    xsJ6CUL0mw3AAy/bxO8B
    """

  private static let plist = """
    YnBsaXN0MDDSAQIDBF8QHU5TUGVyc2lzdGVuY2VGcmFtZXdvcmtWZXJzaW9uXxAZTlNTdG9yZU1vZGVsVmVyc2lvbkhh\
    c2hlcxEF9tUFBgcICQoKCgoKVURyYWZ0VkZvbGRlclROb3RlVFN0ZXBTVGFnTxAgAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAIDS1JTFddZGlucgAAAAAAAAEBAAAAAAAAAAsAAAAAAAAAAAAAAAAAAACV
    """
}
