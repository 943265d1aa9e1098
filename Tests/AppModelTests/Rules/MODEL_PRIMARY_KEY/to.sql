CREATE TABLE "books" ("id" TEXT NOT NULL);
CREATE TABLE "pairs" ("a" TEXT, "b" TEXT, PRIMARY KEY ("a", "b"));
