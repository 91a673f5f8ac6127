package redact_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/internal/redact"
	"mneme/memory"
	"mneme/memory/redaction"
)

// random is letters without a pattern, for secrets that nobody has. Secrets are put together here, so
// that a scanner of this repository finds none.
const random = "q8Zr5Kd0Xw3Lm7Pv2Nc9Jt4Hs6Gb1Fy8Rk5Ua3Qe7Wo2Ti9Mz4Cx6Vn1Bd0Sj8Lp5"

func letters(n int) string { return strings.Repeat(random, n/len(random)+1)[:n] }

func lower(n int) string { return strings.ToLower(letters(n)) }

func hexadecimal(n int) string { return strings.Repeat("9f3c1a7e5b0d2846", n/16+1)[:n] }

func pem(kind string, lines int) string {
	line := letters(64) + "\n"
	return "-----BEGIN " + kind + "PRIVATE" + " KEY-----\n" + strings.Repeat(line, lines) + "-----END " + kind + "PRIVATE" + " KEY-----"
}

// planted is a secret of each main kind, in a text with nothing else to hide.
var planted = []struct {
	kind, before, secret, after string
}{
	{"aws-access-token", "The key is ", "AKIA" + "IOSFODNN7EXAMPLE", ", said Bob."},
	{"aws-access-token", "(", "ASIA" + "1234567890ABCDEF", ")"},
	{"aws-secret-access-key", "aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG" + "/bPxRfiCYEXAMPLEKEY", "\n"},
	{"github-pat", "use ", "ghp" + "_" + letters(36), " now"},
	{"github-pat", "use ", "ghp" + "_" + strings.Repeat("x", 36), " now"},
	{"github-pat", "use ", "ghp" + "_" + letters(50), " now"},
	{"github-fine-grained-pat", "", "github" + "_pat_" + letters(82), ""},
	{"gitlab-pat", "token ", "glpat" + "-" + letters(20), "."},
	{"gitlab-pat", "token ", "glpat" + "-" + letters(30) + ".01." + lower(9), " ok"},
	{"slack-bot-token", "bot ", "xoxb" + "-123456789012-1234567890123-" + letters(24), " ok"},
	{"slack-webhook-url", "post to ", "https://hooks.slack" + ".com/services/T" + letters(8) + "/B" + letters(8) + "/" + letters(24), " please"},
	{"stripe-access-token", "charge with ", "sk" + "_live_" + letters(24), "\n"},
	{"openai-api-key", "", "sk-" + letters(20) + "T3Blbk" + "FJ" + letters(20), " is gone"},
	{"sk-key", "", "sk-" + "proj-" + letters(40), " is gone"},
	{"anthropic-api-key", "", "sk-" + "ant-api03-" + letters(93) + "AA", " is gone"},
	{"gcp-api-key", "maps: ", "AIza" + letters(35), " ok"},
	{"npm-access-token", "", "npm" + "_" + lower(36), " ok"},
	{"huggingface-access-token", "", "hf" + "_" + "abcdefghijklmnopqrstuvwxyzabcdefgh", " ok"},
	{"jwt", "cookie ", "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + letters(43), " ok"},
	{"private-key", "Here:\n", pem("RSA ", 12), "\nand so on"},
	{"private-key", "Here:\n", pem("", 1), " and so on"},
	{"private-key", "Here: ", strings.ReplaceAll(pem("OPENSSH ", 5), "\n", `\n`), " and so on"},
	{"private-key", "Here: ", "-----BEGIN EC " + "PRIVATE KEY-----\nMHcC\nAQEE\n-----END EC " + "PRIVATE KEY-----", "\n"},
	{"private-key", "cut off: ", strings.TrimSuffix(pem("", 3), "\n-----END PRIVATE"+" KEY-----"), "\nNothing else is secret."},
	{"url-password", "postgres://bob:", "hunter" + "2", "@db.example.com:5432/app"},
	{"url-password", "redis://:", "p@ss:w0rd!", "@10.0.0.1:6379"},
	{"url-password", "amqps://svc:", "correct-horse", "@[::1]/"},
	{"authorization", "curl -H 'Authorization: Basic ", "Ym9iOmh1bnRlcjI=", "' https://x.example"},
	{"authorization", "Authorization: Bearer ", letters(12), "\r\n"},
	{"authorization", `{"Authorization": "Token `, lower(40), `"}`},
	{"authorization", "sent bearer ", letters(24), " along"},
	{"api-key-header", "X-Api-Key: ", lower(10), "\n"},
	{"basic-auth", "curl -u bob:", "s3cr" + "et-pw", " https://x.example"},
	{"generic-api-key", "api_key = \"", letters(20), "\""},
	{"generic-api-key", "client secret: ", letters(32), "\n"},
	{"facebook-access-token", "facebook: ", "123456789012345" + "|" + lower(30), " ok"},
	{"hashicorp-tf-api-token", "", lower(14) + ".atlas" + "v1." + lower(64), " ok"},
	{"datadog-access-token", "datadog_api: ", hexadecimal(40), " ok"},
	{"twilio-api-key", "", "SK" + hexadecimal(32), " ok"},
	{"password", "The admin password is ", "hunter" + "22", ", she said."},
	{"password", "Password: ", "Tr0ub4dor" + "&3", "."},
	{"password", "**Password:** ", "12345678", "\n"},
	{"password", "db_password='", "correcthorse", "'"},
	{"password", "Passwort: ", "geheim" + "123", ""},
	{"password", "passphrase: \"", "correct horse battery", "\""},
	{"password", "Server=db;Pwd=", "pa55word", ";Port=1"},
	{"url-token", "GET https://x.example/a?access_token=", lower(20), "&page=2"},
	{"url-token", "https://x.example/a?page=2&sig=", lower(12), "#top"},
	{"cookie", "Cookie: ", "sid=" + lower(24) + "; theme=dark", "\r\nAccept: */*"},
	{"cookie", "Set-Cookie: ", "session=" + lower(24) + "; Path=/; HttpOnly", "\n"},
	{"password", "psql --password ", "swordfish", " -h db"},
	{"password", "tool --db-password='", "two words", "' run"},
	{"password", "run --api-key ", lower(12), "\n"},
	{"password", "<password>", "swordfish", "</password>"},
	{"password", `<ns:password type="plain">`, "swordfish", "</ns:password>"},
	{"password", "&lt;password&gt;", "swordfish", "&lt;/password&gt;"},
	{"password", `<property name="password" value="`, "swordfish", `"/>`},
	{"password", `{"body":"{\"user\":\"bob\",\"password\":\"`, "swordfish", `\"}"}`},
	{"password", `{"a":"{\"b\":\"{\\\"password\\\":\\\"`, "swordfish", `\\\"}\"}"}`},
	{"password", `{"body":"{\"password\":\"`, "sword%22fish", `\"}"}`},
	{"generic-api-key", `{"body":"{\"api_key\":\"`, letters(20), `\"}"}`},
	{"groq-api-key", "use ", "gsk" + "_" + letters(52), " now"},
	{"replicate-api-token", "use ", "r8" + "_" + letters(37), " now"},
	{"google-oauth-token", "use ", "ya29" + "." + letters(60), " now"},
	{"password", `{"argv":["--password","`, "swordfish", `"]}`},
	{"password", "[\n  \"tool\",\n  \"--password\",\n  \"", "swordfish", "\"\n]"},
	{"password", `{"password":{"value":"`, "swordfish", `"}}`},
	{"password", `{"name":"db_password","value":"`, "swordfish", `"}`},
	{"password", `{"value":"`, "swordfish", `", "name":"db_password"}`},
	{"password", `{"password":`, "1234567890123", `}`},
	{"password", `{\u0022password\u0022:\u0022`, "swordfish", `\u0022}`},
	{"password", `{&quot;password&quot;:&quot;`, "swordfish", `&quot;}`},
	{"cookie", "curl -b '", "sid=swordfish", "' https://x.example"},
	{"huggingface-access-token", "use ", "hf" + "_" + letters(34), " now"},
	{"huggingface-access-token", "use ", "hf" + "_" + letters(37), ", now"},
	{"huggingface-organization-api-token", "", "api" + "_org_" + letters(34), "."},
	{"password", "pass\u200bword: ", "hunter2x9", " ok"},
	{"password", "p\u2060a\ufeffss\u00adword\u200d: ", "hun\u200bter2x9", " ok"},
	{"password", "ｐａｓｓｗｏｒｄ：", "hunter2x9", " ok"},
	{"password", "ｐａｓｓｗｏｒｄ＝", "ｈｕｎｔｅｒ２ｘ９", " ok"},
	{"password", "pass\u0000word: ", "hunter2x9", " ok"},
	{"password", "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝: ", "hunter2x9", " ok"},
	{"password", "{\\\"pass\u200bword\\\":\\\"", "swordfish", "\\\"}"},
	{"github-pat", "use ", "ghp" + "_" + "\u200b" + letters(36), " now"},
	{"aws-access-token", "use ", "ＡＫＩＡ" + "IOSFODNN7EXAMPLE", " now"},
	{"password", "mode=a&password%3D", "hunter2x9", " ok"},
	{"password", "p&#97;ssword=", "hunter2x9", "\n"},
	{"password", "password&#58; ", "hunter2x9", " ok"},
	{"password", "password&amp;#x3d;", "hunter2x9", " ok"},
	{"password", "password=", "hu&#110;ter2x9", " ok"},
	{"password", `{\"p\u0061ssword\":\"`, "hunter2x9", `\"}`},
	{"aws-access-token", "use ", "%41KI%41" + "IOSFODNN7EXAMPLE", " now"},
	{"password", "\nDB_PASS=", "swordfish", "\nA=b"},
	{"password", "export SMTP_PASSWD='", "sword fish", "'"},
	{"password", "DB_PWD=", "swordfish", ""},
	{"password", "MYSQL_PASSWORD=", "swordfish", "\n"},
	{"password", `smtpPass: "`, "swordfish", `"`},
	{"password", `{"db_pass": "`, "swordfish", `"}`},
	{"password", `{"password":["`, "swordfish", `"]}`},
	{"password", `{\"password\":[\"`, "swordfish", `\"]}`},
	{"password", "mysql -u root -p", "swordfish", " shop"},
	{"password", "mysqldump -h db -p'", "sword fish", "' shop > a.sql"},
	{"password", "/usr/bin/mysql -p", "hunter2x9", "\n"},
	{"password", "docker exec db mysql -uroot -p", "hunter2x9", "\n"},
	{"password", "sshpass -p ", "Q7", " ssh bob@host"},
	{"password", "sshpass -p'", "hunter2x9", "' ssh -p 22 bob@host"},
	{"password", "redis-cli -h db -a ", "swordfish", " ping"},
	{"password", "docker login -u bob -p ", "swordfish", " registry.example"},
	{"basic-auth", "curl -u admin:", "Q7", " https://x.example"},
	{"basic-auth", "curl -u admin:", "1234", " https://x.example"},
	{"generic-api-key", "API key: ", "0190d3c2-7a5b-7def-8123-456789abcdef", "\n"},
	{"password", "MYSQL -u root -p", "swordfish", " shop"},
	{"password", "\nDBPASS=", "swordfish", "\n"},
	{"password", "export MYSQLPASS=", "swordfish", "\n"},
	{"password", "PGPASS='", "sword fish", "'"},
	{"password", "ROOTPW=", "swordfish", "\n"},
	{"password", "DB_PW=", "swordfish", " run"},
	{"password", "DBPWD=", "swordfish", "\n"},
	{"password", "pwd=", "/x7Kq2", "\n"},
	{"basic-auth", "curl -uann:", "swordfish", " https://x.example"},
	{"basic-auth", "curl -su ann:", "swordfish", " https://x.example"},
	{"basic-auth", "curl -fsSLu 'ann:", "swordfish", "' https://x.example"},
	{"basic-auth", "curl --proxy-user ann:", "swordfish", " https://x.example"},
	{"basic-auth", "curl 'https://x.example?a=1&b=2' \\\n  -uann:", "swordfish", "\n"},
	{"password", "machine x.example login ann password ", "swordfish", "\n"},
	{"password", "machine x.example\n  login ann\n  password ", "swordfish", "\n"},
	{"password", `"forgotPassword": "`, "hunter2x9", `"`},
	{"url-token", "https://x.example/a?apikey=", lower(12), "#top"},
	{"url-token", "https://x.example/a?sessionKey=", lower(12), "#top"},
	{"password", "password: ", "hunter2x9;a\"b'c<d1>!", " ok"},
	{"password", "{password: ", "hunter2x9!", "}, ok"},
	{"password", "Password=", "hunter2;x9", ";User Id=sa"},
	{"password", "/a?password=", "hunter2x9", "&page=2"},
}

func TestTextTakesSecretsOut(t *testing.T) {
	t.Parallel()
	for _, test := range planted {
		t.Run(test.kind, func(t *testing.T) {
			clean, redactions := redact.Text(test.before + test.secret + test.after)
			assert.Equal(t, test.before+"[secret:"+test.kind+"]"+test.after, clean)
			assert.Equal(t, []memory.Redaction{{Kind: test.kind, Count: 1}}, redactions)
		})
	}
}

func TestTextLeavesTheRestAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "plain", "The user wants a refund for reservation ZFA04Y, paid with credit_card_4421486.",
		"Her password is required, and the secret: be kind.", "password = $PASSWORD", "password: {{ .Values.password }}", "password: <your password>",
		"password: ********", "pwd: none", "the password is wrong", "An access token has been issued.", "author: someone-with-a-long-name-2025",
		"See https://example.com:8080/a@b and http://localhost:3000?mail=me@example.com", "mailto:bob@example.com",
		"postgres://bob:$PASSWORD@db/app", "postgres://bob:****@db/app", "postgres://bob@db/app", "docker run -u 1000:1000 image",
		"Authorization: required", "Authorization: Bearer $TOKEN", "bearer bonds are an instrument of the past",
		"commit 3fae2b9c0d1e4f5a6b7c8d9e0f1a2b3c4d5e6f70", "uuid 0190d3c2-7a5b-7def-8123-456789abcdef", "sha256:" + hexadecimal(64),
		"primary_key: customer_reservations_2025", "A file that begins with -----BEGIN PRIVATE" + " KEY----- is a key.",
		"-----BEGIN CERTIFICATE-----\n" + letters(64) + "\n-----END CERTIFICATE-----", "[secret:jwt] and [private]", "sk-circle-fade-dot",
		"API key id: 0190d3c2-7a5b-7def-8123-456789abcdef", "Idempotency-Key: 0190d3c2-7a5b-7def-8123-456789abcdef",
		"commit key: 3fae2b9c0d1e4f5a6b7c8d9e0f1a2b3c4d5e6f70", "key: sha256:" + hexadecimal(64), "cache key: " + hexadecimal(64),
		"partition key = 01J9ZK3V5Q8X2M7N4B6C1D0EFG", "token id: 01J9ZK3V5Q8X2M7N4B6C1D0EFG", "public key: " + letters(44), "blob key: " + hexadecimal(40),
		"cmp_key: bloom-7b_cerebras-gpt-6.7B", "routing key = orders.eu-1.v2-a7", "event_key: checkout-2025-ab12cd34",
		"The --password option is needed", "pass --token to log in", "Cookie: chocolate chip", "<password></password>", "?page=2&token=",
		`["--password","--verbose"]`, `{"name":"password","type":"string","value":"$PASSWORD"}`, "curl -b cookies.txt -b 'theme=dark' https://x.example",
		"GET /a?token=next&page=2", "public key token: b77a5c561934e089", "Culture=neutral, PublicKeyToken=b77a5c561934e089",
		"--- PASS: TestSub/sub_1 (0.00s)", `"A_PASSWORD=" + password1)`, "BYPASS=everything1", "COMPASS=north-west-1", "PASS=1200 FAIL=12", "tests: 12 pass: 1200/1201", "boarding_pass: ZFA04Y1", "low_pass = 440.5Hz", "firstPass: 12.5ms",
		"db_pass = getpass(prompt1)", `"pass": "passed"`, "DB_PASS=$SECRET", "DB_PASSWORD=os.getenv('A')", "OLDPWD=/home/bob",
		"password:\n  min_length: 8", "password:\n  $ref: a1", "Password:\nroot@host1:~#", "Password:\nuser=bob1", "pwd:\n/home/bob1", "Password:\n2026-01-01",
		"Forgot your password:\nwrite to us", "password:\nrequired", `{"password":["This field is required."]}`, `{"password":[]}`, `"password": ["required","string"]`,
		"docker run --name mysql -p3306:3306 mysql:8", "mysql -P 3306 -p shop", "mysql is up; ssh -p2222 host", "sshpass -e ssh -p 2222 host", "redis-cli -p 6379",
		"mkdir -p a && docker run -p 8080:80 a", "50%25 of 100%", "AT&amp;T &#8211; R&D", "docker login -u bob",
		"FIRST_PASS=done", "BOARDING_PASS=ticket", "RENDER_PASS=opaque", "TRESPASS=warned", "boarding pass: QWX9K2 seat", "Boarding pass: QWX9K2", "first pass = 12.5ms-x",
		`{"pass": "12 of 15"}`, `pass: "gate 12b"`, "passwd:x:1000:1000:Ann:/home/ann", "pwd=/srv/app/releases/2026", `{"pwd": "/srv/app/releases/2026"}`, "APP_PWD=/srv/app",
		"PWD=/srv", "OLDPWD=swordfish", "monkey=gorilla-silverback-1992", "https://x.example/?donkey=shrek-and-fiona-2001", "possession=nine-tenths-of-2020",
		"password: !vault |\n", "password: !secret db_password", "tool --password PASS --token TOKEN", "tool --password DB_PASSWORD --token YOUR_TOKEN", "Authorization: Bearer YOUR_API_KEY",
		"curl -u user:password https://x.example", "curl -u USERNAME:PASSWORD", `password = "password"`, `passwd: 'your password'`, "<password>string</password>",
		`"forgotPassword": "Forgot your password?"`, `"errors.password": "Too short (minimum 12 characters)"`, "invalid_password: 'must not be blank'",
		`{"errors":{"email":"is taken","password":"must not be blank"}}`, `"password": "can't be blank"`, `{"password":["is too short (minimum is 8 characters)"]}`,
		"curl -unicode https://x.example", "you curl -su ann", "ssh -uann:swordfish", `{"tokens":["hello","world2026"]}`, `{"tokens":[1,2]}`, "login with password authentication", "machine learning login ann password",
		"max_tokens: 1000, token_count = 1234567890", "keyboard: mechanical-keyboard-87-keys", "東京 – Zürich",
	} {
		clean, redactions := redact.Text(text)
		assert.Equal(t, text, clean)
		assert.Nil(t, redactions, text)
	}
}

func TestTextCountsByKind(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "IOSFODNN7EXAMPLE"
	clean, redactions := redact.Text("a " + key + ", b " + key + " and ftp://u:" + "secret" + "@h/")
	assert.Equal(t, "a [secret:aws-access-token], b [secret:aws-access-token] and ftp://u:[secret:url-password]@h/", clean)
	assert.Equal(t, []memory.Redaction{{Kind: "aws-access-token", Count: 2}, {Kind: "url-password", Count: 1}}, redactions)
}

func TestTheMoreTellingKindIsNamed(t *testing.T) {
	t.Parallel()
	token := "ghp" + "_" + letters(36)
	for _, text := range []string{"password: " + token, "Authorization: Bearer " + token, "api_key = '" + token + "'", "https://u:" + token + "@host"} {
		_, redactions := redact.Text(text)
		assert.Equal(t, []memory.Redaction{{Kind: "github-pat", Count: 1}}, redactions, text)
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, value, want string }{
		{"password", "correcthorse", "[secret:password]"},
		{"dbPassword", "correcthorse", "[secret:password]"},
		{"DB_PASSWD", "correcthorse", "[secret:password]"},
		{"api-key", "abcdefgh", "[secret:generic-api-key]"},
		{"client_secret", "abcdefgh", "[secret:generic-api-key]"},
		{"token", letters(30), "[secret:generic-api-key]"},
		{"Authorization", "Bearer " + letters(20), "Bearer [secret:authorization]"},
		{"anything", "ghp" + "_" + letters(36), "[secret:github-pat]"},
		{"password", "ghp" + "_" + letters(36), "[secret:password]"},
		{"DB_PASS", "swordfish", "[secret:password]"},
		{"smtpPass", "swordfish", "[secret:password]"},
		{"pass", "hunter2x9", "hunter2x9"}, // may count what passed
		{"passwords", "swordfish", "[secret:password]"},
		{"p&#97;ssword", "swordfish", "[secret:password]"},
		{"pass", "passed", "passed"},
		{"pass", "1200/1201", "1200/1201"},
		{"pass", "1234567", "1234567"},
		{"boarding_pass", "ZFA04Y1", "ZFA04Y1"},
		{"bypass", "swordfish1", "swordfish1"},
		{"BOARDING_PASS", "ticket99", "ticket99"},
		{"DBPASS", "swordfish", "[secret:password]"},
		{"pass", "gate 12b", "gate 12b"},
		{"pass", "", ""},
		{"pwd", "/srv/app/releases/2026", "/srv/app/releases/2026"},
		{"errors.password", "must not be blank", "must not be blank"},
		{"password", "must not be blank", "must not be blank"},
		{"password", "is too short (minimum is 8 characters)", "is too short (minimum is 8 characters)"},
		{"password", "does not match", "does not match"},
		{"password", "must horse battery", "[secret:password]"},
		{"password", "must be22", "[secret:password]"},
		{"password", "the quick brown fox", "[secret:password]"},
		{"password", "This field is required.", "This field is required."},
		{"password", "is not hunter22", "[secret:password]"},
		{"Passwort", "swordfish", "[secret:password]"},
		{"forgotPassword", "Forgot your password?", "Forgot your password?"},
		{"forgotPassword", "hunter2x9", "[secret:password]"},
		{"password", "YOUR_PASSWORD", "YOUR_PASSWORD"},
		{"password", "correct horse battery", "[secret:password]"},
		{"api_keys", "abcdefgh", "[secret:generic-api-key]"},
		{"tokens", letters(30), "[secret:generic-api-key]"},
		{"notes", "the password is hunter" + "22", "the password is [secret:password]"},

		{"password", "", ""},
		{"password", "none", "none"},
		{"password", "string", "string"},
		{"password", "Enter your password", "Enter your password"},
		{"password", "${PASSWORD}", "${PASSWORD}"},
		{"password", "********", "********"},
		{"password", "[secret:password]", "[secret:password]"},
		{"password_hint", "correcthorse", "correcthorse"},
		{"the [secret:password]", "correcthorse", "correcthorse"}, // as it is when its key was redacted
		{"token", "next-page", "next-page"},
		{"reservation_id", "ZFA04Y", "ZFA04Y"},
		{"", "plain", "plain"},
		{"note", "two\nlines \"of\" text", "two\nlines \"of\" text"},
	} {
		clean, redactions := redact.Named(test.name, test.value)
		assert.Equal(t, test.want, clean, "%s: %s", test.name, test.value)
		assert.Equal(t, test.want != test.value, len(redactions) > 0)
		again, more := redact.Named(test.name, clean)
		assert.Equal(t, clean, again)
		assert.Nil(t, more)
	}
}

func TestJSONSaysWhatItsValuesAre(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{"argv":["tool","--password","correcthorse","-v"]}`:           `{"argv":["tool","--password","[secret:password]","-v"]}`,
		`["--password","--verbose"]`:                                   `["--password","--verbose"]`,
		`{"password":{"value":"correcthorse"}}`:                        `{"password":{"value":"[secret:password]"}}`,
		`{"name":"db_password","value":"correcthorse"}`:                `{"name":"db_password","value":"[secret:password]"}`,
		`{"key":"password","value":{"stringValue":"correcthorse"}}`:    `{"key":"password","value":{"stringValue":"[secret:password]"}}`,
		`{"a":{"value":"correcthorse","key":"password"}}`:              `{"a":{"key":"password","value":"[secret:password]"}}`,
		`{"errors":{"password":["must not be blank"]}}`:                `{"errors":{"password":["must not be blank"]}}`,
		`{"password":1234567890123}`:                                   `{"password":"[secret:password]"}`,
		`{"password":[1234567890123,true,null,12]}`:                    `{"password":["[secret:password]",true,null,12]}`,
		`{"total_tokens":1234567890123,"price":1234567890123.5}`:       `{"price":1234567890123.5,"total_tokens":1234567890123}`,
		`{"password":["swordfish"],"smtpPass":["hunter2x9",true]}`:     `{"password":["[secret:password]"],"smtpPass":["[secret:password]",true]}`,
		`{"password":{"type":"string","description":"correcthorse"}}`:  `{"password":{"description":"correcthorse","type":"string"}}`,
		`{"api_keys":["correcthorse"],"pass":"12 of 15"}`:              `{"api_keys":["[secret:generic-api-key]"],"pass":"12 of 15"}`,
		`{"name":"colour","value":"correcthorse"}`:                     `{"name":"colour","value":"correcthorse"}`,
		`{"name":"password","value":{"description":"what is chosen"}}`: `{"name":"password","value":{"description":"what is chosen"}}`,
	} {
		r := redaction.Redactor{Rules: redact.Rules()}
		clean := r.JSON(memory.JSON(given))
		assert.JSONEq(t, want, string(clean))
		again := redaction.Redactor{Rules: redact.Rules()}
		assert.Equal(t, string(clean), string(again.JSON(clean)))
	}
}

func TestRulesAtTheWriteBoundary(t *testing.T) {
	t.Parallel()
	r := redaction.Redactor{Rules: redact.Rules()}
	clean := r.JSON(memory.JSON(`{"headers":{"X-Api-Key":"` + lower(20) + `"},"password":"correcthorse","user":"bob"}`))
	assert.Equal(t, `{"headers":{"X-Api-Key":"[secret:generic-api-key]"},"password":"[secret:password]","user":"bob"}`, string(clean))
	redacted, compacted := r.Prose("Please use  AKIA" + "IOSFODNN7EXAMPLE, <private>Bob</private> said.")
	assert.Equal(t, "Please use [secret:aws-access-token], [private] said.", compacted)
	assert.Equal(t, "Please use  [secret:aws-access-token], [private] said.", redacted)
	assert.Equal(t, []memory.Redaction{
		{Kind: "aws-access-token", Count: 1}, {Kind: "generic-api-key", Count: 1}, {Kind: "password", Count: 1}, {Kind: "private", Count: 1},
	}, r.Receipt().Redactions)
}

// pieces are what texts with secrets are put together from.
func pieces() []string {
	list := []string{
		" ", "\n", "=", ": ", "\"", "'", ", ", "@", "://", "-----", "[secret:jwt]", "[secret:", "]", "word", "ü", "key", "password", "token",
		"Authorization: Bearer ", "aws", letters(8), letters(40), hexadecimal(32), "-----BEGIN ", "PRIVATE KEY-----", `\n`, "1",
	}
	for _, test := range planted {
		list = append(list, test.before, test.secret, test.after)
	}
	return list
}

func TestTextTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom(pieces())
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 25).Draw(t, "pieces"), "")
		once, redactions := redact.Text(text)
		twice, more := redact.Text(once)
		require.Equal(t, once, twice)
		require.Nil(t, more)
		require.Equal(t, once == text, redactions == nil)
		require.Equal(t, utf8.ValidString(text), utf8.ValidString(once))
	})
}

func TestSecretsAreFoundAnywhere(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-zé,.;:()\n]{1,8}`)
	rapid.Check(t, func(t *rapid.T) {
		test := rapid.SampledFrom(planted).Draw(t, "secret")
		before := strings.Join(rapid.SliceOfN(word, 0, 20).Draw(t, "before"), " ")
		after := strings.Join(rapid.SliceOfN(word, 0, 20).Draw(t, "after"), " ")
		clean, _ := redact.Text(before + "\n" + test.before + test.secret + test.after + "\n" + after)
		require.NotContains(t, clean, test.secret)
	})
}

// Texts made to be slow come out right.
func TestTextOfTextsMadeToBeSlow(t *testing.T) {
	t.Parallel()
	const n = 5_000
	for name, test := range map[string]struct {
		text       string
		redactions int
	}{
		"keywords":              {strings.Repeat("key = token = password = ", n), 0},
		"prefixes":              {strings.Repeat("AKIA ghp"+"_ sk- glpat- ", n), 0},
		"keys without an end":   {strings.Repeat("-----BEGIN PRIVATE "+"KEY-----\n", n), 0},
		"one long token":        {"ghp" + "_" + strings.Repeat("a1", 10*n), 1},
		"many tokens":           {strings.Repeat("ghp"+"_"+letters(36)+" ", n), n},
		"a token over and over": {strings.Repeat("ghp"+"_"+letters(36), n), 1},
		"URLs without an end":   {strings.Repeat("://a:b", n), 0},
		"marks":                 {strings.Repeat("[secret:jwt]", n), 0},
	} {
		t.Run(name, func(t *testing.T) {
			clean, redactions := redact.Text(test.text)
			found := 0
			for _, r := range redactions {
				found += r.Count
			}
			assert.Equal(t, test.redactions, found)
			assert.Equal(t, found == 0, clean == test.text)
		})
	}
}

func FuzzText(f *testing.F) {
	for _, piece := range pieces() {
		f.Add(piece, piece)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		secret := "AKIA" + "Q8ZR5KD0XW3LM7PV"
		text := before + " " + secret + " " + after
		if strings.Contains(before+after, secret[4:]) {
			t.Skip("the text says it itself")
		}
		clean, _ := redact.Text(text)
		if strings.Contains(clean, secret) {
			t.Fatalf("%q leaks as %q", text, clean)
		}
		if again, more := redact.Text(clean); again != clean || more != nil {
			t.Fatalf("%q becomes %q becomes %q", text, clean, again)
		}
		if _, more := redact.Named(before, after); more == nil {
			return
		}
		named, _ := redact.Named(before, after)
		if again, more := redact.Named(before, named); again != named || more != nil {
			t.Fatalf("%s: %q becomes %q becomes %q", before, after, named, again)
		}
	})
}
