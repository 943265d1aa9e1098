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
    dVYLeBTVFf7vPO7MLEKyBAgJbwhviOGNgDwTkNcC2WwIz7jJTpKFze66OwsEEA8PAREFSpFiESGBAkVExbZqH1KtVSmgooCt\
    pZaWWhAoLQVEpNq7szEBQma+b2fnnv/8555z/rtni8IBf9TKyvoEDBJkKFDBWR/Wf1qGN1Jc5p9nRgoyQkVzzGIrmpdhhcIF\
    GWIp6g8FC5OTXO7xZoXpG1ENPJC8HBp0JIk7GelogfbIxP3og77oh/54QKxlirdRGAO3WOuLfMzATBTiYfhgwo85CCGMRxDD\
    PFRgMZZihfBMEj5PYh3Wi+cGbMIz2Cz8CoWPX+D7Ccsm/BgvivuAWH9VWH4hbG8I669tvkOC7238HodxDB9U8x2v5jtp8/3p\
    Nr5j1Yx/EevP4L+4ga9xC/8Tz1uMCZ/1TEc6a2hntY7F8+zDmrAWrB3LYF1YV9aDZXkygrFA4GMYcKAB7kNDNMrPKA54o9Hp\
    LndO0PJbfjNamNzE5c5P1HKszxSrJX7xRstoCS3NHx0K+MzICUHhRGOkoAmaohlS0RxpM6s5KlzeclO8TI6EwmakhjLXDHrL\
    /cHSWs5ZLrc7JiCm7UVNSKIUkgl5AmgeR0u0Qmu0KUjs0IxOT3yJG6vQBm3RrjC5mcs9wrIi/qKYZWab0eKIP2zZGmhaE7/i\
    tvUCl3uSrZmTIoEOyEBHdEJndEFXdEN39EBPWz01lHkVYXO2y51tlnhjASvfG4iZolKjA97SqFCYyHFsdJJN7A3Mrg0Yz5+4\
    U/oVCbkZpOb6fXfHy0IvO15vpzKBQLonGLLMaJ5LfOaX2CVO5D8AA6swMJFrWryGAW88XLTMH74trVOCfZBgHiy4h+BBDMUw\
    wd0dwzECI2fG9x8wLTM3FojvfqJ3wahQLGgVJjcvjJuilj9ok9Y2rzA5XZjGBuMnyrw9pp1Zw2RGDmpA9yW2mI2cKuRgdHyL\
    KYI+ZnmLAma2v9iuSyRepdqXuPYewliMw3hMmupyZ841K+Liy6w+ytS4ChMwES5KomRyVmEypiCXNDKoUSJcHjyV8FQHS2z5\
    tkrcKcypKMA0TKemNISaETwCHDDrtn6W3YrZog/NC/zRyf5g0KzTMC+KbFSxU24rgOn5ps9v1YWVoNSGlTnlFQLW0hMuC1mh\
    u1FzEUC5QAWd8jmhEYVae8IBb7FZEK+0FfPV2WMEUZvWcrKrgrbdtEAoWFoPcr6NXCBgHRIVW4hFlViEdqLcIyIRb8Vx4TIW\
    j2IJdazEYyBqTxkJ5DIs34nl35+tNi73qFB5OBQVid7rkJ2yQz9eE3wlVmE1nrDDr7HbU+OeEzDLxSmPUmen3pc6ib21vbdm\
    h2EtnsLT1JW6Ufc8S5wzd563tD59/wAb8UPqSZl0vydqmeFonlt81of+EbbgWepFvQm1MtyKXXvwHLbheWzHDlSiCjupL/Wj\
    /jSABtIDNIgG78FPsBt7sBc/xT68gP2URi2oFbWhLtSDsqiPJzviLbHu1N5LeBmv4CA9SCYNpdS6qvuZXaifi1oMryu212zj\
    68I4sq7Efmkbxa8LZddV1m9sZb0pjKPrauO3tudbwji2rvF3tvEdYRz/vUTercR7eJ/G0YR7NfsPOGK7HKWJwumh/IjpjYaC\
    dTP90EZ9JDCT6uv6x/gEJ2gK5ZK7vvadwqf4I3kon6bWB/kMf8ZpmkbTb+/w5zi/F3/FGfwNf8dZ/ANf4J84RzNpFs2mQnqY\
    vFRExeTbiy9xARdxCf/CZfwb/8EVGkGjKIfGkIsmUx4V0Iw7e3wV13AdX1EJhahUzC3LXHCPyXLTTv8bkb4/PxgrLzIjd2O+\
    xXdxDEOyT6Dm1uydSUytZDJTqJyClYwzjeZQ4I49MIM5WAN2H4VpET1COFFDbQdnjdCdJQnSaD01Y07WmKVQjObR/Nq4TVnz\
    StaMpVIFLaxkaSydLFpQLQrWchdrhYOsNWvD2pJCw6iMEtOKtWcdqliHxCgQk3l8MDQ/KOZktPb3v5cgYR1ZJ9Y5f158mkbp\
    UVrs6ZWZlZmVoOjGuley7mjnEf8NTMsOyXqyTKId7H56LIHpxXpXst7xIE3i4yzoLTV9ibE+MeQzAx+xvqxfXiQUsog1Blu5\
    Xfz1SxNF6SFm7iBMYB42g5WxEFvINrCNbBPbzLaxg+wQO8rOsivsKrvObrCb7JbEJIeUIrWWOkpDpXypUFogrZG2SDull6VD\
    0lvSO9K70vvSYemI9IF0TrogXZIuS9ekmzKTHbJT7imPk6fKRfKj8rPyVnmbvF2ulHfK++VX5cPyKfmsfFH+Sv5agSIpisKV\
    hkqS4lRSlJZKO2WAMkFxKZOVXCVPma5ElZgyXyFli7JV2aZsV3Yrh5S3lXeUd5WjyhfKeeWCckm5rFxTvlVT1XS1pdpa7aKO\
    UEepOapLdaszVJ9aos5Vy9WQukBdqlaph9ST6qfqZ+pp9XP1jPotB5e4wg3ekHfjPXgmz+L9+WBewKfzmXw2n8sX8yWc+DK+\
    gq/kq/kavpY/x5/nO3gV38V38718H9/PD/L3+GF+hB/jH/Lz/AK/pHFN1xxaB62j1lkbro3UsrVZWqHm1RZqi7Ul2iptrfa0\
    tl7brx3QXtYOam9oH2sntFPaVe26dkO7qafqaXoLvZU+SB+iD9WH6xP1h/Ui3aeX6GX6HD2gB/WwHtEf11fpT+hP6k/p6/QN\
    +kZ9k75Zf0F/UX9Jf0V/VX9dP65/op/UT+vX9Rv6Tf2WYRiNjGSjsZFqpBktjCyjt9HX6G8MNCYak4wpRtAIGxHDMpYaK43V\
    xhpjnbHB2GhsNXYbe419xn7jgPGa8abxqXHGOGd8aVw0rhjfOODgjiSH09HE0czRxpHhGOwY7shxjIF9SVLiyQbgjssx4f8=
    """

  private static let plist = """
    YnBsaXN0MDDSAQIDBF8QHU5TUGVyc2lzdGVuY2VGcmFtZXdvcmtWZXJzaW9uXxAZTlNTdG9yZU1vZGVsVmVyc2lvbkhh\
    c2hlcxEF9tUFBgcICQoKCgoKVURyYWZ0VkZvbGRlclROb3RlVFN0ZXBTVGFnTxAgAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAIDS1JTFddZGlucgAAAAAAAAEBAAAAAAAAAAsAAAAAAAAAAAAAAAAAAACV
    """
}
