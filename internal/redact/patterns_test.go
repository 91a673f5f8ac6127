package redact

import (
	"strings"
	"testing"

	"mneme/memory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// random is letters without a pattern, for secrets that nobody has. Secrets are put together here, so that a scanner of
// this repository finds none.
const random = "q8Zr5Kd0Xw3Lm7Pv2Nc9Jt4Hs6Gb1Fy8Rk5Ua3Qe7Wo2Ti9Mz4Cx6Vn1Bd0Sj8Lp5"

const hexadecimal = "9f3c1a7e5b0d28469f3c1a7e5b0d28469f3c1a7e"

// examples has a row for each pattern, by its name: texts with what the pattern takes out between « and », and texts
// that it leaves alone.
var examples = map[string]struct{ found, spared []string }{
	`password: "two words"`: {
		[]string{`password: "«correct horse»"`, `"password":"«swordfish»"`, "The passphrase is `«swordfish»`.", `smtpPass => '«swordfish»'`, `"password": ["«swordfish»"]`, `"apiPassword": "«/Xy7kL/Qp9zR4»"`},
		[]string{`password: "your password"`, `password = "$PASSWORD"`, `"password": "must not be blank"`, `"pwd": "/srv/app/releases"`, `boarding_pass: "swordfish"`, `password: ""`},
	},
	`password: hunter22`: {
		[]string{"password: «hunter22».", "pwd=«Abc;12345»;Port=1", "?password=«swordfish»&page=2", "(passwd := «hunter2(9)»)", "**Password:** «12345678»", "passwords: «hunter22», x"},
		[]string{"password is wrong!", "password: required", "password: ****", "password: ${PASSWORD1}", "password: !vault", "passwd:x:1000:1000::/home/ann", "password = getpass(prompt1)", "password: https://x.example/1"},
	},
	`DB_PASSWORD=swordfish`: {
		[]string{"DB_PASSWORD=«swordfish»", "export PGPASS='«sword fish»'", `ROOTPW="«swordfish»"`, "X_PWD=«swordfish» run"},
		[]string{"PWD=swordfish", "OLDPWD=swordfish", "APP_PWD=/srv/app", "db_password=swordfish", "DB_PASSWORD=os.getenv('A')", "FIRST_PASS=swordfish", "DB_PASS=$SECRET"},
	},
	`.netrc`: {
		[]string{"machine x.example login ann password «swordfish»", "machine x.example\n  login ann\n  password «swordfish»"},
		[]string{"machine learning login ann password", "machine x login ann password $PASSWORD"},
	},
	`<password>swordfish</password>`: {
		[]string{"<password>«swordfish»</password>", `<a:password type="plain">«sword fish»</a:password>`},
		[]string{"<password></password>", "<password>string</password>", "<password>swordfish<b>"},
	},
	`<token>…</token>`: {
		[]string{"<apiKey>«swordfish22»</apiKey>"},
		[]string{"<token>swordfish</token>", "<key>12345678</key>"},
	},
	`name="password" value="swordfish"`: {
		[]string{`<property name="password" value="«swordfish»"/>`},
		[]string{`<property name="password" value="${password}"/>`, `name="colour" value="swordfish"`},
	},
	`"password": {"value": "swordfish"}`: {
		[]string{`{"password":{"value":"«swordfish»"}}`, `{"name": "db_password", "value": "«swordfish»"}`},
		[]string{`{"name":"password","type":"string","value":"swordfish"}`, `{"password":{"value":"string"}}`},
	},
	`"value": "swordfish", "name": "db_password"`: {
		[]string{`{"value":"«swordfish»", "name":"db_password"}`, `{"value":"«swordfish»","key":"password"}`},
		[]string{`{"value":"swordfish","name":"colour"}`, `{"value":"string","name":"password"}`},
	},
	`--password swordfish`: {
		[]string{"psql --password «swordfish» -h db", "--db-password='«two words»'", `["--api-key", "«swordfish»"]`, "--token=«swordfish»", "--password '«S3cr(t!x9»'"},
		[]string{"The --password option is needed", "--password-file x.txt", "pass --token to log in", `["--password","--verbose"]`, "--token YOUR_TOKEN", "--max-tokens 1000000"},
	},
	`mysql -pswordfish`: {
		[]string{"mysql -u root -p«swordfish» shop", "mysqldump -h db -p'«sword fish»' shop", "sshpass -p«Q7» ssh"},
		[]string{"mysql -P 3306 -p shop", "docker run --name mysql -p3306:3306 mysql:8", "mysql is up; ssh -p2222x host", "mysql -u root -p$PASSWORD"},
	},
	`sshpass -p swordfish`: {
		[]string{"sshpass -p «Q7» ssh bob@host", "redis-cli -h db -a «swordfish» ping", "docker login -u bob -p «swordfish» x.example"},
		[]string{"sshpass -e ssh -p 2222 host", "redis-cli -p 6379", "docker login -u bob", "mkdir -p swordfish"},
	},
	`curl -u bob:swordfish`: {
		[]string{"curl -u bob:«swordfish» x", "curl -ubob:«swordfish» x", "curl -fsSLu 'bob:«swordfish»' x", "curl --proxy-user bob:«1234» x"},
		[]string{"curl -u bob:$PASSWORD", "curl -u user:password", "docker run -u bob:swordfish", "curl x; docker run -u 1000:1000 y", "curl -unicode http://x"},
	},
	`curl -u 123456:swordfish`: {
		[]string{"curl -u 123456:«hunter2x9Q» https://x.example"},
		[]string{"curl x; docker run -u 1000:1000 image"},
	},
	`curl -b sid=swordfish`: {
		[]string{"curl -b '«sid=swordfish; a=b»' x", "curl -b «sid=swordfish» x"},
		[]string{"curl -b cookies.txt", "curl -b 'theme=dark'", "ls -b sid=swordfish"},
	},
	`://bob:swordfish@host`: {
		[]string{"postgres://bob:«swordfish»@db.example/app", "redis://:«p@ss:w0rd!»@10.0.0.1", "amqps://bob:«swordfish»@[::1]/"},
		[]string{"https://x.example:8080/a@b", "http://localhost:3000?mail=me@x.example", "postgres://bob:$PASSWORD@db/app", "postgres://bob:****@db/app", "postgres://bob@db"},
	},
	`?access_token=…`: {
		[]string{"/a?access_token=«swordfish22»&page=2", "/a?page=2&sig=«swordfish22»#top", "sessionKey=«swordfish22»", "?refreshtoken=«swordfish22»&page=2", "?page=2&clientsecret=«swordfish33»"},
		[]string{"?page=2&token=", "?token=next&page=2", "token=12345678", "monkey=silverback-1992", "possession=nine-tenths-of-2020", "cache_key=swordfish22"},
	},
	`Authorization: Basic …`: {
		[]string{"Authorization: Basic «c3dvcmRmaXNo»", `"Authorization": "Bearer «swordfish»"`},
		[]string{"Authorization: required", "Authorization: Bearer $TOKEN", "Authorization: Bearer YOUR_API_KEY"},
	},
	`Authorization: …`: {
		[]string{"Authorization: «swordfish22swordfish»"},
		[]string{"Authorization: swordfish22", "author: someone-with-a-long-name-2025"},
	},
	`bearer …`: {
		[]string{"sent bearer «" + random[:24] + "» along"},
		[]string{"bearer bonds", "bearer of-a-very-long-instrument"},
	},
	`X-Api-Key: …`: {
		[]string{"X-Api-Key: «swordfish22»", `"x-auth-token": "«swordfish22»"`},
		[]string{"X-Api-Key: swordfish", "X-Request-Id: swordfish22"},
	},
	`Cookie: sid=…`: {
		[]string{"Cookie: «sid=swordfish22; theme=dark»", "--cookie '«sid=swordfish22»'"},
		[]string{"Cookie: chocolate chip", "Cookie: theme=dark"},
	},
	`-----BEGIN PRIVATE KEY-----`: {
		[]string{
			"a «-----BEGIN RSA PRIVATE" + " KEY-----\nMHcC\n-----END RSA PRIVATE" + " KEY-----» b", `a «-----BEGIN PRIVATE` + ` KEY-----\nMHcC\nAQEE\n-----END PRIVATE` + ` KEY-----» b`,
			"a «-----BEGIN PRIVATE" + " KEY-----\nDEK-Info: AES-128-CBC,9F3C1A7E5B0D2846\n\n" + random[:64] + "\nMHcC=»\nand no more",
		},
		[]string{"A file that begins with -----BEGIN PRIVATE" + " KEY----- is a key.", "-----BEGIN CERTIFICATE-----\n" + random[:64] + "\n-----END CERTIFICATE-----"},
	},
	`Private-Lines of PuTTY`: {
		[]string{"Private-Lines: 2\n«" + random[:64] + "\nMHcC==\n»Private-MAC: 9f3c", `Private-Lines: 1\n«` + random[:64] + `\n»Private-MAC: 9f3c`},
		[]string{"Public-Lines: 1\n" + random[:64] + "\n", "Private-Lines: none"},
	},
	"AKIA":                  {[]string{"(«AKIA" + "IOSFODNN7EXAMPLE»)"}, []string{"AKIA" + "IOSFODNN7"}},
	"secret_access_key = …": {[]string{"aws_secret_access_key = «" + random[:40] + "»"}, []string{"secret key = " + random[:41]}},
	"ATATT3":                {[]string{"«ATATT3" + strings.Repeat(random[:62], 3) + "»"}, []string{"ATATT3" + random[:62]}},
	"dckr_pat_":             {[]string{"«dckr" + "_pat_" + random[:24] + "»"}, []string{"dckr" + "_pat_x"}},
	"facebook …|…":          {[]string{"facebook: «123456789012345" + "|" + random[:30] + "» ok"}, []string{"facebook: 123456789012345", "123456789012345|" + random[:30]}},
	"GOCSPX-":               {[]string{"«GOCSPX" + "-" + random[:28] + "»"}, []string{"GOCSPX" + "-x"}},
	"1//0":                  {[]string{"«1//0" + random[:40] + "»"}, []string{"1//0"}},
	"ya29.":                 {[]string{"«ya29" + "." + random[:40] + "»"}, []string{"ya29" + ".x"}},
	"gsk_":                  {[]string{"«gsk" + "_" + random[:52] + "»"}, []string{"gsk" + "_x"}},
	"hf_":                   {[]string{"«hf" + "_" + random[:34] + "»"}, []string{"hf" + "_" + strings.Repeat("a", 40)}},
	"api_org_":              {[]string{"«api" + "_org_" + random[:34] + "»"}, []string{"api" + "_org_x"}},
	"lsv2_":                 {[]string{"«lsv2" + "_pt_" + random[:32] + "»"}, []string{"lsv2" + "_pt_x"}},
	"nvapi-":                {[]string{"«nvapi" + "-" + random[:60] + "»"}, []string{"nvapi" + "-x"}},
	"r8_":                   {[]string{"«r8" + "_" + random[:37] + "»"}, []string{"r8" + "_x"}},
	"sk-":                   {[]string{"«sk" + "-proj-" + random[:40] + "»"}, []string{"sk-circle-fade-dot-and-more-of-it"}},
	"sgp_":                  {[]string{"«sgp" + "_" + hexadecimal + "»", "«sgp" + "_local_" + hexadecimal + "»"}, []string{"sgp" + "_x"}},
	"sourcegraph …":         {[]string{"SOURCEGRAPH_TOKEN=«" + hexadecimal + "»"}, []string{"commit " + hexadecimal, "sourcegraph " + strings.Repeat("a1", 20)}},
	"tvly-":                 {[]string{"«tvly" + "-" + random[:32] + "»"}, []string{"tvly" + "-x"}},
	"xai-":                  {[]string{"«xai" + "-" + random[:60] + "»"}, []string{"xai" + "-x"}},
}

func TestPatterns(t *testing.T) {
	t.Parallel()
	assert.Len(t, examples, len(patterns))
	for i, r := range memory.Mapped(patterns, rule.made) {
		t.Run(patterns[i].name, func(t *testing.T) {
			t.Parallel()
			alone := newDetector([]*rule{r})
			example, ok := examples[patterns[i].name]
			require.True(t, ok)
			require.NotEmpty(t, example.found)
			require.NotEmpty(t, example.spared)
			for _, text := range example.found {
				plain := strings.NewReplacer("«", "", "»", "").Replace(text)
				found := alone.in(plain, never)
				marked := plain
				for _, f := range merged(found, plain) {
					marked = plain[:f.start] + "«" + plain[f.start:f.end] + "»" + plain[f.end:]
				}
				assert.Equal(t, text, marked)
			}
			for _, text := range example.spared {
				found := alone.in(text, never)
				assert.Empty(t, found, text)
			}
		})
	}
}
