/// The container's schema, in CloudKit's schema language: Tact with stickers, places and shares. It
/// is none of the versions in `Schemas/Tact`, and so it has a name of its own.
let tactSchema = """
  DEFINE SCHEMA

      RECORD TYPE Chat (
          "___createTime" TIMESTAMP QUERYABLE SORTABLE,
          "___recordID"   REFERENCE QUERYABLE,
          emoji           STRING,
          isPinned        INT64 QUERYABLE,
          memberNames     LIST<STRING>,
          quietHours      LIST<INT64>,
          title           STRING QUERYABLE SORTABLE SEARCHABLE,
          wallpaper       ASSET,
          GRANT WRITE TO "_creator",
          GRANT CREATE TO "_icloud",
          GRANT READ TO "_world"
      );

      RECORD TYPE Message (
          "___recordID"   REFERENCE QUERYABLE,
          chat            REFERENCE QUERYABLE,
          photo           ASSET,
          place           LOCATION QUERYABLE,
          relatedRecords  LIST<REFERENCE> QUERYABLE,
          sentAt          TIMESTAMP QUERYABLE SORTABLE,
          text            ENCRYPTED STRING,
          voice           BYTES,
          GRANT WRITE TO "_creator",
          GRANT CREATE TO "_icloud",
          GRANT READ TO "_world"
      );

      RECORD TYPE Reaction (
          "___recordID"   REFERENCE QUERYABLE,
          emoji           STRING QUERYABLE,
          message         REFERENCE QUERYABLE,
          relatedRecords  LIST<REFERENCE> QUERYABLE,
          strength        DOUBLE,
          GRANT WRITE TO "_creator",
          GRANT CREATE TO "_icloud",
          GRANT READ TO "_world"
      );

      RECORD TYPE StickerPack (
          "___recordID"   REFERENCE QUERYABLE,
          images          LIST<ASSET>,
          keywords        LIST<STRING> QUERYABLE,
          name            STRING QUERYABLE SORTABLE,
          releasedAt      TIMESTAMP QUERYABLE SORTABLE,
          GRANT WRITE TO "_creator",
          GRANT CREATE TO "_icloud",
          GRANT READ TO "_world"
      );

      RECORD TYPE Users (
          "___recordID"   REFERENCE,
          displayName     STRING,
          roles           LIST<INT64>,
          GRANT WRITE TO "_creator",
          GRANT READ TO "_world"
      );

      RECORD TYPE "cloudkit.share" (
          "cloudkit.thumbnailImageData" BYTES,
          "cloudkit.title"              STRING,
          "cloudkit.type"               STRING,
          GRANT WRITE TO "_creator",
          GRANT CREATE TO "_icloud",
          GRANT READ TO "_world"
      );

  """
