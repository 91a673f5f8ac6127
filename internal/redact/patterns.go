package redact

// The kinds that several patterns have.
const (
	passwordKind = "password"
	genericKind  = "generic-api-key"
	headerKind   = "authorization"
	cookieKind   = "cookie"
	keyKind      = "private-key"
)

// What patterns are put together from.
const (
	// passwordNames are the names that a password goes by.
	passwordNames = `(?:password|passwd|passphrase|passcode|passwort|pwd|(?:db|sql|smtp|root|admin|user)[_-]?pass)`
	// isSigns is what stands between the name and the value: a sign of assignment, or "is".
	isSigns    = `(?:s?["'` + "`" + `]?[ \t]{0,3}(?::=|=>|=|:)[*_]{0,2}[ \t]{0,3}|[ \t]{1,3}is:?[ \t]{1,3})`
	headerSign = `["']?[ \t]{0,3}[:=][ \t]{0,3}["']?`
	quoted     = `"([^"\n]{4,})"|'([^'\n]{4,})'|` + "`([^`\n]{4,})`"
	// bare is the first letter of a value without quotes, which bareValue follows.
	bare      = `(?P<` + bareGroup + `>[^\s"'` + "`" + `<>;&|,])`
	bareGroup = "bare"
	jsonValue = `\s{0,3}:\s{0,3}(?:"([^"\n]{4,})"|'([^'\n]{4,})')`
	// userOption is an option of curl's with what is given before the user.
	userOption = `\s(?:-u[ =]?|-[a-zA-Z]{1,8}u[ =]|--(?:proxy-)?user[ =])["']?`
	// arguments are those between a program and its option.
	arguments = `\b[^\n;|&]{0,100}?[ \t]`
	cookies   = `["']?([\w.-]+=[^\s;"',\\]+(?:;[ ]?[\w.-]+(?:=[^\s;"',\\]*)?)*)`
)

// patterns are secrets by the name that they go by, or by their own shape, which gitleaks has no rule for, or one for
// source code only.
var patterns = []rule{
	// by the name before it
	{
		name: `password: "two words"`, kind: passwordKind, accepts: isPhrase,
		pattern: `(?i)` + passwordNames + isSigns + `(?:\[\s{0,3})?(?:` + quoted + `)`,
	},
	{
		name: `password: hunter22`, kind: passwordKind, accepts: isUnquoted,
		pattern: `(?i)` + passwordNames + isSigns + bare,
	},
	{
		name: `DB_PASSWORD=swordfish`, kind: passwordKind, accepts: isAssigned, names: isVariable,
		pattern: `(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|(?:DB|SQL|PG|SMTP|ROOT|ADMIN|USER)_?PASS|(?:_|ROOT)PW)=(?:` + quoted + `|` + bare + `)`,
	},
	{
		name: `.netrc`, kind: passwordKind, accepts: isReal,
		pattern: `(?i)machine\s{1,20}\S{1,64}\s{1,20}login\s{1,20}\S{1,64}\s{1,20}password\s{1,20}(\S{2,})`,
	},
	{
		name: `<password>swordfish</password>`, kind: passwordKind, accepts: isReal,
		pattern: `(?i)` + passwordNames + `(?:\s[^<>]{0,100})?>([^<>&\r\n]{4,})</`,
	},
	{
		name: `<token>…</token>`, kind: genericKind, accepts: isToken,
		pattern: `(?i)(?:secret|token|key)>([^<>&\r\n]{8,})</`,
	},
	{
		name: `name="password" value="swordfish"`, kind: passwordKind, accepts: isReal,
		pattern: `(?i)` + passwordNames + `["'][ \t]{1,3}value[ \t]{0,3}=[ \t]{0,3}(?:` + quoted + `)`,
	},
	{
		name: `"password": {"value": "swordfish"}`, kind: passwordKind, accepts: isReal,
		pattern: `(?i)` + passwordNames + `["']\s{0,3}(?::\s{0,3}\{|,)\s{0,40}["']value["']` + jsonValue,
	},
	{
		name: `"value": "swordfish", "name": "db_password"`, kind: passwordKind, accepts: isReal,
		pattern: `(?i)["']value["']` + jsonValue + `\s{0,3},\s{0,40}["'](?:name|key)["']\s{0,3}:\s{0,3}["'][\w.-]{0,50}` + passwordNames + `["']`,
	},

	// of commands
	{
		name: `--password swordfish`, kind: passwordKind, accepts: isGiven,
		pattern: `(?i)--(?:[\w.]|-\w)*?-?(?:` + passwordNames + `|pass|token|secret|(?:api|access|secret)[-_]?key)(?:=|[ ]{1,3}|["'],\s{0,40}["'])(?:` + quoted + `|` + bare + `)`,
	},
	{
		name: `mysql -pswordfish`, kind: passwordKind, accepts: isArgument,
		pattern: `(?i:mysql(?:dump|admin|import)?|mariadb(?:-dump|-admin)?|sshpass)` + arguments + `-p(?:` + quoted + `|` + bare + `)`,
	},
	{
		name: `sshpass -p swordfish`, kind: passwordKind, accepts: isArgument,
		pattern: `(?i:(?:sshpass|docker login|podman login)` + arguments + `-p|redis-cli` + arguments + `-a)[ ]{1,3}(?:` + quoted + `|` + bare + `)`,
	},
	{
		name: `curl -u bob:swordfish`, kind: "basic-auth", accepts: isReal, needs: []string{"curl", "wget", "http"},
		pattern: userOption + `[^\s:"']{0,64}[^\s:"'0-9][^\s:"']{0,64}:([^\s"']+)`,
	},
	{
		name: `curl -u 123456:swordfish`, kind: "basic-auth", accepts: isNoNumber, needs: []string{"curl", "wget", "http"},
		pattern: userOption + `[0-9]{1,64}:([^\s"']+)`,
	},
	{
		name: `curl -b sid=swordfish`, kind: cookieKind, accepts: isGivenCookie, needs: []string{"curl"},
		pattern: `-b[ =]` + cookies,
	},

	// of URLs and HTTP
	{
		name: `://bob:swordfish@host`, kind: "url-password", accepts: isUserinfo,
		pattern: `://[^\s/?#:@"'<>\\]*:([^\s/"'<>\\]+)@[\w\[]`,
	},
	{
		name: `?access_token=…`, kind: "url-token", accepts: isToken, names: isParameter,
		pattern: `(?i)(?:token|key|secret|signature|[?&]sig|[?&]auth|jwt|[?&;]sid|session)=([^\s&"'<>#;\\]{6,})`,
	},
	{
		name: `Authorization: Basic …`, kind: headerKind, accepts: isReal,
		pattern: `(?i)authorization` + headerSign + `(?:basic|bearer|token|api-?key|digest|negotiate)[ \t]{1,3}["']?([^\s"',;]{6,})`,
	},
	{
		name: `Authorization: …`, kind: headerKind, accepts: hasDigit,
		pattern: `(?i)authorization` + headerSign + `([^\s"',;]{16,})`,
	},
	{
		name: `bearer …`, kind: headerKind, accepts: hasDigit,
		pattern: `(?i)\bbearer[ \t]{1,3}([\w.~+/-]{20,}={0,2})`,
	},
	{
		name: `X-Api-Key: …`, kind: "api-key-header", accepts: hasDigit,
		pattern: `(?i)\bx-(?:api-?key|auth-?(?:token|key)|access-?token|secret-?key|client-?secret|vault-token|gitlab-token|goog-api-key|` +
			`amz-security-token|shopify-access-token)` + headerSign + `([^\s"',;]{8,})`,
	},
	{
		name: `Cookie: sid=…`, kind: cookieKind, accepts: isCookie,
		pattern: `(?i)(?:cookie["']?[ \t]{0,3}[:=]|--cookie[ =])[ \t]{0,3}` + cookies,
	},

	// keys, also where the lines are joined by "\n" in letters; of one that was cut off all that looks like a key
	{
		name: `-----BEGIN PRIVATE KEY-----`, kind: keyKind,
		pattern: `(?i)-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:-{0,4}[^-])*-----END[^-\n]{0,100}-----|` +
			`(?:(?:\s|\\[nr])+(?:[\w+/=:,-]{16,}|[\w+/]*=+|[\w-]+:|4,\w+))+)`,
	},
	{
		name: `Private-Lines of PuTTY`, kind: keyKind,
		pattern: `Private-Lines:[ ]{0,3}\d{1,4}(?:\s|\\[nr]){1,4}((?:[A-Za-z0-9+/]{1,64}={0,2}(?:\r?\n|\\[nr]|\z))+)`,
	},

	// by its own shape
	{name: "AKIA", kind: "aws-access-token", pattern: `\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`},
	{
		name: "secret_access_key = …", kind: "aws-secret-access-key",
		pattern: `(?i)secret[ _-]?(?:access[ _-]?)?key["']?[ \t]{0,3}(?::=|=>|=|:|is)[ \t]{0,3}["']?([a-z0-9/+]{40})(?:[^a-z0-9/+=]|\z)`,
	},
	{name: "ATATT3", kind: "atlassian-api-token", pattern: `(?i)\b(ATATT3[\w=-]{186,})`},
	{name: "dckr_pat_", kind: "docker-pat", pattern: `\b(dckr_[po]at_[\w-]{20,})`},
	{name: "facebook …|…", kind: "facebook-access-token", pattern: `(?i)facebook[^\n]{0,60}?\b(\d{15,16}(?:\||%)[0-9a-z_-]{27,40})`},
	{name: "GOCSPX-", kind: "google-oauth-client-secret", pattern: `\b(GOCSPX-[\w-]{20,})`},
	{name: "1//0", kind: "google-oauth-refresh-token", pattern: `\b(1//0[\w-]{30,})`},
	{name: "ya29.", kind: "google-oauth-token", pattern: `\b(ya29\.[\w-]{20,})`},
	{name: "gsk_", kind: "groq-api-key", pattern: `\b(gsk_[A-Za-z0-9]{20,})`},
	{name: "hf_", kind: "huggingface-access-token", accepts: hasDigit, pattern: `\b(hf_[A-Za-z0-9]{30,})`}, // gitleaks' rule is for letters alone
	{name: "api_org_", kind: "huggingface-organization-api-token", accepts: hasDigit, pattern: `\b(api_org_[A-Za-z0-9]{30,})`},
	{name: "lsv2_", kind: "langsmith-api-key", pattern: `\b(lsv2_[a-z]{2}_[\w-]{20,})`},
	{name: "nvapi-", kind: "nvidia-api-key", pattern: `\b(nvapi-[\w-]{40,})`},
	{name: "r8_", kind: "replicate-api-token", accepts: hasDigit, pattern: `\b(r8_[A-Za-z0-9]{20,})`},
	{name: "sk-", kind: "sk-key", accepts: isMixed, pattern: `\b(sk-[\w-]{20,})`},
	{name: "sgp_", kind: "sourcegraph-access-token", pattern: `(?i)\b(sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40})`},
	{name: "sourcegraph …", kind: "sourcegraph-access-token", accepts: isMixed, pattern: `(?i)sourcegraph[^\n]{0,60}?\b([a-f0-9]{40})\b`},
	{name: "tvly-", kind: "tavily-api-key", accepts: hasDigit, pattern: `\b(tvly-[\w-]{20,})`},
	{name: "xai-", kind: "xai-api-key", pattern: `\b(xai-[A-Za-z0-9]{40,})`},
}
