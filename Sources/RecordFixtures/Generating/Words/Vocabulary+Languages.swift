extension Vocabulary {
  static let en = Vocabulary(
    words: WordTable(
      """
      about above after again along amber answer apple around arrive autumn away bakery basket be
      beach before begin below beside better between bicycle bird blanket blue boat book bottle
      bread bridge bright bring brother build butter cabin call candle careful carry castle change
      chapter cheese choose circle city clear clock cloud coffee cold colour come cook corner cotton
      country cover dance daughter day deep dinner door dream dress drive during early earth east
      easy eat engine evening every far farm father field find fire first fish flower follow forest
      forget free fresh friend from garden gentle give glass go golden good grass great green grow
      guest half hand happy harbour hear heart hello high hill home honey hour house idea inside
      island join journey keep kitchen lake lamp language late laugh learn leave letter light listen
      little long look lunch make map market meadow meet minute mirror money moon morning mother
      mountain move music name near never new next night north number ocean of often old open orange
      other over page paint paper park path pencil people picture piece plan plant play please pocket
      point quick quiet rain reach read ready red river road roof room round run salt sand say school
      sea second see shadow ship shop short show silver simple sing sister sit sky sleep slow small
      smile snow soft song soon south speak spring stairs star start station stay stone story street
      strong sugar summer sun supper table take talk tea tell then ticket time today together
      tomorrow tower town train travel tree under until valley village visit voice wait walk wall
      warm watch water way weather week west wheel white wide wind window winter with wonder wood
      word work world write year yellow yesterday young
      """),
    givenNames: WordTable(
      """
      Ada Alice Amir Anna Ben Carl Clara Daniel Diego Elena Emma Erik Eva Felix Grace Hana Hugo Ines
      Iris Ivan Jack James Jana Julia Kai Kenji Lara Leo Lina Luca Lucy Maria Marta Max Mia Mira
      Nadia Nina Noah Nora Oliver Omar Oscar Paul Peter Priya Rosa Ruth Sam Sara Simon Sofia Tara
      Theo Tom Uma Vera Victor Yuki Zoe
      """),
    familyNames: WordTable(
      """
      Adams Baker Bell Brown Carter Chen Clark Cooper Costa Cruz Davis Diaz Evans Fischer Garcia
      Gray Green Hall Harris Hill Hughes Ito Jackson Johnson Jones Kelly Khan Kim King Lee Lewis
      Lopez Martin Meyer Miller Moore Morgan Nguyen Novak Okafor Olsen Park Patel Phillips Price
      Reed Rossi Santos Schmidt Silva Singh Smith Tanaka Taylor Turner Walker Ward White Wilson
      Wood Wright Young
      """),
    cities: WordTable(
      """
      Amsterdam|Athens|Auckland|Bangkok|Barcelona|Berlin|Bogotá|Boston|Cairo|Cape Town|Chicago
      Copenhagen|Delhi|Dublin|Geneva|Helsinki|Istanbul|Jakarta|Lagos|Lima|Lisbon|London|Madrid
      Melbourne|Mexico City|Montreal|Mumbai|Nairobi|New York|Oslo|Paris|Prague|Rio de Janeiro|Rome
      San Francisco|Santiago|Seoul|Singapore|Stockholm|Sydney|Tokyo|Toronto|Vienna|Warsaw
      """, separator: "|"), space: " ", stop: ".")

  static let de = Vocabulary(
    words: WordTable(
      """
      abend alle alt antwort apfel auf bald baum berg bitte blau blume boot brief brot brücke buch
      danke dorf drei du ende er erde fenster feuer fisch fluss frage frei freund früh garten gehen
      geschichte gestern glück grün gut haus heiß herz heute himmel hoch hund ich insel jahr jung
      kaffee kalt kind klein kommen küche lachen lampe lang leben leicht licht lied mantel markt
      meer milch mit mond morgen musik nacht name neu nicht oder ofen ohne park platz regen reise
      ruhig salz schiff schnee schön schule see sehen sommer sonne sprache stadt stein stern straße
      tag tee tisch tür über uhr und viel vogel wald warm wasser weg weiß wind winter wort zeit zug
      """),
    givenNames: WordTable(
      """
      Anja Bernd Christa Dieter Elke Franz Greta Hannes Heike Ilse Jörg Jürgen Karin Käthe Klaus
      Lena Lotte Matthias Nele Otto Petra Ralf Sabine Stefan Sören Ulla Uwe Wolfgang
      """),
    familyNames: WordTable(
      """
      Bauer Becker Böhm Fuchs Groß Hofmann Huber Jäger Keller Koch Köhler König Krüger Lang Maier
      Müller Neumann Richter Schäfer Schneider Schröder Schulz Vogel Wagner Weber Weiß Wolf
      """),
    cities: WordTable("Berlin Bremen Dresden Hamburg Köln Leipzig München Nürnberg Wien Zürich"),
    space: " ", stop: ".")

  static let ja = Vocabulary(
    words: WordTable(
      """
      朝 雨 家 石 犬 海 絵 駅 音 花 風 紙 川 木 北 今日 雲 車 声 心 言葉 魚 桜 島 静か 写真 白い 新しい
      空 時間 太陽 旅 茶 月 手紙 天気 友達 鳥 夏 猫 橋 春 光 人 冬 本 町 窓 道 緑 港 南 村 森 山 夕方
      雪 夢 夜 林
      """),
    givenNames: WordTable("葵 明 花子 一郎 健 恵 翔 咲 聡 拓也 陽子 直樹 真由美 美咲 優 裕子 蓮 亮"),
    familyNames: WordTable("伊藤 井上 加藤 木村 小林 斎藤 佐藤 清水 鈴木 高橋 田中 中村 林 松本 山田 渡辺"),
    cities: WordTable("京都 広島 札幌 仙台 東京 名古屋 奈良 福岡 横浜"), space: "", stop: "。",
    isFamilyFirst: true)

  static let ar = Vocabulary(
    words: WordTable(
      """
      أب أبيض أحمر أخ أخضر أرض اليوم أم باب بحر برد بعيد بيت جبل جديد جميل حديقة خبز رسالة رمل ريح
      زهرة سفر سفينة سماء سمكة سوق شاي شتاء شجرة شمس صباح صديق صغير صيف ضوء طريق طويل غدا غيمة قديم
      قرية قلب قمر قهوة كبير كتاب كلمة ليل ماء مدرسة مدينة مساء مطر موسيقى نافذة نجمة نهر هدوء وردة
      وقت
      """),
    givenNames: WordTable(
      "أحمد أمل خالد رنا زينب سامي سلمى عائشة علي عمر فاطمة كريم ليلى محمود مريم نور هدى يوسف"),
    familyNames: WordTable(
      "البغدادي التونسي الحداد الخطيب الشامي العلي المصري النجار حسن سعيد صالح منصور"),
    cities: WordTable("بغداد بيروت تونس دبي دمشق الرباط عمان القاهرة"), space: " ", stop: ".")
}
