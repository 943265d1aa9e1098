import Foundation
import RecordSchema

/// The meaning that the name of a field suggests, in English, German, French, Spanish, Portuguese, Italian, Russian,
/// Chinese, Japanese and Korean.
enum FieldWord {
  case email, phone, url, person, secret, place, birth, code

  /// Whether values of a field with the name tell who a person is, or what nobody else should know.
  var isPersonal: Bool { self != .code && self != .url }

  private static func words(_ lines: String...) -> [String] {
    lines.flatMap { $0.split(separator: " ").map(String.init) }
  }

  private static let table: [(FieldWord, [String])] = [
    (.email, words("email mail correo courriel pochta почта 邮箱 郵箱 メール 이메일")),
    (
      .phone,
      words(
        "phone mobile cell tel telephone fax msisdn telefon handy telefono movil telemovel",
        "celular cellulare portable telefone телефон 电话 電話 手机 携帯 전화 휴대폰")
    ),
    (.url, words("url link website homepage web")),
    (
      .birth,
      words(
        "birth birthday birthdate dob age gender sex geburt geburtstag geburtsdatum alter geschlecht",
        "naissance anniversaire sexe genre nacimiento cumpleanos edad sexo genero nascimento aniversario idade",
        "nascita compleanno eta sesso рождения возраст пол 生日 年龄 年齢 性别 性別",
        "誕生日 생일 나이 성별")
    ),
    (
      .secret,
      words(
        "password passcode passwd pwd secret token credential ssn passport iban bic swift",
        "card cvv cvc pin otp account ip mac imei udid serial license",
        "licence plate salary income wage tax vat fiscal bank credit debit insurance",
        "social security national hiv marital diagnosis symptom blood disease illness health medical",
        "medication therapy treatment allergy disability pregnant pregnancy religion faith ethnicity ethnic race",
        "orientation political party union criminal conviction fingerprint biometric weight bmi passwort kennwort",
        "geheim gehalt lohn einkommen steuer steuernummer konto kontonummer ausweis krankheit diagnose gesundheit",
        "versicherung religion konfession motdepasse mdp secreto contrasena clave salaire revenu impot compte",
        "carte maladie sante diagnostic salario renta impuesto cuenta tarjeta enfermedad salud diagnostico",
        "senha segredo renda imposto conta cartao doenca saude cpf cnpj rg dni",
        "nif nie nss curp rfc siret segreto reddito stipendio imposta conto carta",
        "malattia salute codicefiscale parola пароль секрет зарплата доход налог счет карта болезнь",
        "здоровье диагноз инн снилс паспорт parol 密码 密碼 身份证 收入 工资 银行",
        "账号 疾病 诊断 健康 パスワード 給与 収入 口座 病気 診断 비밀번호 급여",
        "소득 계좌 질병 진단 건강")
    ),
    (
      .place,
      words(
        "address addr street city town zip zipcode postcode postal latitude longitude lat",
        "lon lng geo gps location village county district adresse strasse ort stadt",
        "plz wohnort anschrift rue ville codepostal direccion calle ciudad domicilio endereco rua",
        "cidade cep bairro indirizzo via citta cap адрес улица город индекс 地址",
        "街道 城市 邮编 住所 住址 番地 郵便番号 주소 도시 우편번호")
    ),
    (
      .code,
      words(
        "kind status state type category role locale currency unit level mode priority",
        "style theme format art typ zustand kategorie rolle einheit statut etat categorie",
        "estado tipo categoria stato статус тип 状态 类型 種類 状態 상태 유형")
    ),
    (
      .person,
      words(
        "name author sender recipient receiver owner contact person people user username userid",
        "login nickname nick surname firstname lastname fullname displayname member participant creator driver",
        "player patient customer client guest student teacher pupil employee employer worker doctor",
        "nurse parent mother father child wife husband spouse partner friend family host",
        "attendee signer signature initials alias handle profile human vorname nachname benutzer nutzer",
        "kunde kundennummer kundin inhaber absender empfaenger mitarbeiter schueler lehrer arzt mutter vater",
        "nom prenom utilisateur client destinataire expediteur auteur eleve medecin nombre apellido usuario",
        "cliente paciente autor remitente alumno empleado medico nome sobrenome cognome utente paziente",
        "autore mittente aluno funcionario имя фамилия отчество пользователь клиент автор пациент imya",
        "familiya 姓名 名字 用户 客户 作者 患者 联系人 名前 氏名 利用者 顧客",
        "이름 성명 사용자 고객 환자 xingming yonghu namae shimei irum")
    ),
  ]

  private static let meanings: [String: FieldWord] = Dictionary(
    table.flatMap { word, list in list.map { ($0, word) } }, uniquingKeysWith: { first, _ in first }
  )

  /// Words of scripts that are written without spaces, which can stand within a name.
  private static let parts: [(String, FieldWord)] = table.flatMap { word, list in
    list.filter { $0.unicodeScalars.contains { $0.value >= 0x3041 } }.map { ($0, word) }
  }

  /// Returns the meaning of a name such as `senderEmail` or `phone_number`: a personal meaning before others, in the
  /// order of the table.
  static func find(in name: String) -> FieldWord? {
    let plain = name.folding(options: .diacriticInsensitive, locale: nil)
    // In `email2`, the number is no part of the word.
    let words = NameWords(String(plain.map { $0.isNumber ? "_" : $0 }))
    let pairs = zip(words.words, words.words.dropFirst()).map { $0 + $1 }
    var found = (words.words + pairs + [words.joined, NameWords(name.lowercased()).joined])
      .compactMap { meanings[$0] ?? meanings[singular($0)] }
    found += parts.filter { name.contains($0.0) }.map(\.1)
    return table.map(\.0).first { $0.isPersonal && found.contains($0) } ?? found.first
  }

  private static func singular(_ word: String) -> String {
    word.hasSuffix("s") && word.utf8.count > 3 ? String(word.dropLast()) : word
  }
}
