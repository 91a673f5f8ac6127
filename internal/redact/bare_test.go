package redact_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/internal/redact"
)

// A password without quotes is taken out to its last letter, and what stands around it is kept.
func TestNothingIsLeftOfAPasswordWithoutQuotes(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"password: Abcdef12;ghi345":     "password: #",
		`password=Abcdef12"ghi345`:      "password=#",
		`password=Abcdef12\"ghi345`:     "password=#",
		"password=Abcdef12'ghi345 now":  "password=# now",
		"password=Abcdef12`ghi345 now":  "password=# now",
		"password=Abcdef12!!!":          "password=#",
		"password: Passw0rd!":           "password: #",
		"password: Passw0rd!?)":         "password: #)",
		"password: x;y;z123":            "password: #",
		`password=a"b"c1!x`:             "password=#",
		"password: Abcd<ef12>gh9":       "password: #",
		"password: Abcd&lt;ef12&gt;gh9": "password: #",
		"password: Abcd&quot;ef12gh9":   "password: #",
		"password: Ab(c)12":             "password: #",
		"password: Abcd&ef=12":          "password: #",
		"password: Abcd,ef=12":          "password: #",
		"password: Abcd;e:f12":          "password: #",
		"password: hunter2x9#[]{}":      "password: #",
		`pwd = hunter2x9\`:              `pwd = #`,
		`pwd = hunter2x9\\x y`:          `pwd = # y`,
		"The password is hunter2x9!":    "The password is #",

		// the marks of a sentence, and what is closed around it
		"password: Passw0rd!, she said.":                "password: #, she said.",
		"Is the password is Abc12345.":                  "Is the password is #.",
		"password: Abc12345...":                         "password: #...",
		"(password: Abc12345)":                          "(password: #)",
		"(The password is Abc12345.), I think":          "(The password is #.), I think",
		"login(user, password=Abc12345) runs":           "login(user, password=#) runs",
		"{user: bob, password: Abc12345}":               "{user: bob, password: #}",
		"<password: Abc12345>, x":                       "<password: #>, x",
		`say "password: Abc12345" or 'pwd=Abc12345'!`:   `say "password: #" or 'pwd=#'!`,
		"say `password: Abc12345`.":                     "say `password: #`.",
		`["the password is Abc12345.","x"]`:             `["the password is #.","x"]`,
		`{"cmd":"login password=Abc12345","x":1}`:       `{"cmd":"login password=#","x":1}`,
		`{"cmd":"login password=Abc\"12345","x":1}`:     `{"cmd":"login password=#","x":1}`,
		`{"cmd":"login password=Ab\"%20%07Z","x":1}`:    `{"cmd":"login password=#","x":1}`,
		`{"a":"{\"cmd\":\"password=Abc12345\"}"}`:       `{"a":"{\"cmd\":\"password=#\"}"}`,
		`{"password":12345678901,"user":"bob"}`:         `{"password":#,"user":"bob"}`,
		`[{"password":12345678901},{"user":"bob"}]`:     `[{"password":#},{"user":"bob"}]`,
		"{&quot;a&quot;:&quot;pwd=Abc12345&quot;,1}":    "{&quot;a&quot;:&quot;pwd=#&quot;,1}",
		`'password=Abc12345'\nuser=bob`:                 `'password=#'\nuser=bob`,
		"<li>password: Abc12345</li>":                   "<li>password: #</li>",
		"password: Abc12345<br>user: bob":               "password: #<br>user: bob",
		`<a href="/x?password=Abc12345">here</a>`:       `<a href="/x?password=#">here</a>`,
		"PASSWORD: Abc12345; login":                     "PASSWORD: #; login",
		"[go](https://x.example/?password=Abc12345) on": "[go](https://x.example/?password=#) on",

		// the next name of a list
		"Password=Abc12345;Server=db":                    "Password=#;Server=db",
		"Server=db;Password=Abc12345;User Id=sa;X=y":     "Server=db;Password=#;User Id=sa;X=y",
		"Password = Abc12345;Server = db":                "Password = # = db",
		"Pwd=Abc;12345;Trust Server Certificate=true;":   "Pwd=#;Trust Server Certificate=true;",
		"Password=Abc12345;":                             "Password=#;",
		"user:bob;password:Abc12345;host:db":             "user:bob;password:#;host:db",
		"https://x.example/a?password=Abc12345&page=2":   "https://x.example/a?password=#&page=2",
		"https://x.example/a?password=swordfish&page=2":  "https://x.example/a?password=#&page=2",
		"/a?password=Abc12345&amp;page=2":                "/a?password=#&amp;page=2",
		"/a?password=Abc12345&new_password=Def67890#top": "/a?password=#&new_password=#",
		"user=bob,password=Abc12345,host=db":             "user=bob,password=#,host=db",
		"password=swordfish,host=db":                     "password=#,host=db",
		"{password:Abc12345,user:bob}":                   "{password:#,user:bob}",

		// another password, also behind what is none
		"oldPassword: swordfish;newPassword: hunter2x9":      "oldPassword: swordfish;newPassword: #",
		"PASSWORD: TBD;ADMIN_PASSWORD: hunter2x9":            "PASSWORD: TBD;ADMIN_PASSWORD: #",
		"password: ${DB_PASS};admin_password: hunter2x9":     "password: ${DB_PASS};admin_password: #",
		"password: none;db_password: hunter2x9":              "password: none;db_password: #",
		"password: none,db_password: hunter2x9":              "password: none,db_password: #",
		`password: changeme"password: hunter2x9"`:            `password: changeme"password: #"`,
		"password is secret;password is hunter2x9":           "password is secret;password is #",
		"<td>Password: none<b>Password: hunter2x9</b>":       "<td>Password: none<b>Password: #</b>",
		"password: none<x>password : hunter2x9":              "password: none<x>password : #",
		"password: ****;password: hunter2x9":                 "password: #: #",
		"password: Abc12345;password: hunter2x9":             "password: #: #",
		`password: https://x.example;y"z(password: Abc12345`: `password: https://x.example;y"z(password: #`,
		`password: ${A}"%password: Abc12345" ok`:             `password: ${A}"%password: #" ok`,

		// one of a command, which is found before those that stand left of it
		"mysql (DB_PASSWORD=swordfish) f(x) -psecretx":               "mysql (DB_PASSWORD=#) f(x) -p#",
		"use mysql with DB_PASSWORD=swordfish and call(x) -psecretx": "use mysql with DB_PASSWORD=# and call(x) -p#",
		"redis-cli --password= f(x)hunter2x9 -a  f(x)":               "redis-cli --password= # -a  #",
		"mysql --password=swordfish1 -h db -pfoobar":                 "mysql --password=# -h db -p#",
		"docker login --password hunter2x9 reg.io -p x":              "docker login --password # reg.io -p x",

		// a link behind it
		"Password: Abc12345<https://portal.example.com|portal>": "Password: #<https://portal.example.com|portal>",
		"password: Abc12345;https://example.com/login":          "password: #;https://example.com/login",
		"password: Abc12345,https://example.com/login":          "password: #,https://example.com/login",
		"password: Abc12345;url:https://x.example":              "password: #:https://x.example",
		`password: Abc12345"https://x.example`:                  `password: #"https://x.example`,
		"password: Ab;c12345<https://x.example>":                "password: #<https://x.example>",

		// tags and their ends
		`<add connectionString="Server=db;Password=Abc12345"/><add name="foo"/>`: `<add connectionString="Server=db;Password=#"/><add name="foo"/>`,
		"password: Abc12345<b>x</b>":           "password: #<b>x</b>",
		"password: Abc12345<strong>x</strong>": "password: #<strong>x</strong>",
		`password: Abc12345<img src="x">`:      `password: #<img src="x">`,
	} {
		clean, _ := redact.Text(given)
		assert.Equal(t, strings.ReplaceAll(want, "#", "[secret:password]"), clean, given)
	}
}

// closing is what in a password looks like its end (quotes before a mark and a connection's next name), or like code.
var closing = regexp.MustCompile(`^[A-Za-z_.]{4,}\([a-z]?["']|["'][!?]*(?:[.,:;)}<>]|/>)|;[A-Za-z_][\w.-]*=`)

func TestWhatStandsWithoutQuotesIsNotAlwaysAPassword(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"password:required;min:8", "password=value;count=12", "{password:required,min:8}", "{password:userInput,name:x1}", "password: it's required",
		"password: the one <br>", "login(password=input, tries=3)", "?password=required&page=2", "/a?show_password=1&page=2", "password: <b>x</b>1",
		"e.password=t.value;e=12", `password = password.encode("latin1")`, "password = os.environ['P1']", "password=b'**********'", "password=SecretBytes(b'**********')", "password: &'static str", "password: &amp;'static str", "[password: &#x3C;string|buffer1>]", "printf(&quot;Password is correct.&quot;);",
		"The password is required!", "password: wrong!?", "The password is https://x.example;y",
	} {
		clean, _ := redact.Text(text)
		assert.Equal(t, text, clean)
	}
}

// Whatever a password is made of, nothing is left of it, and JSON that has it in a text stays JSON.
func TestNothingIsLeftOfAnyPassword(t *testing.T) {
	t.Parallel()
	password := rapid.Custom(func(t *rapid.T) string {
		return "Qx" + rapid.StringMatching(`[A-Za-z0-9!@#%^*()_+~"';<>.,:?/|{}&=-]{2,12}`).Draw(t, "middle") + "7Z"
	}).Filter(func(p string) bool { return !strings.ContainsAny(p, "<&") && !closing.MatchString(p) })
	rapid.Check(t, func(t *rapid.T) {
		p := password.Draw(t, "password")
		before := rapid.SampledFrom([]string{"password: ", "the password is ", "pwd = ", "password := ", "**password:** "}).Draw(t, "before")
		clean, _ := redact.Text(before + p + " next")
		require.Equal(t, before+"[secret:password] next", clean, p)
		value, err := json.Marshal(map[string]string{"a": before + p, "b": p})
		require.NoError(t, err)
		clean, _ = redact.Text(string(value))
		require.True(t, json.Valid([]byte(clean)), "%s becomes %s", value, clean)
		require.Contains(t, clean, `"a":"`+before+`[secret:password]","b":`, value)
	})
}

// Of two passwords in one text nothing is left of the second, whatever the first is and what stands between them.
func TestNothingIsLeftOfASecondPassword(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"password", "PASSWORD", "oldPassword", "db_password", "Pwd", "admin.passwd", "passphrase"})
		sign := rapid.SampledFrom([]string{": ", ":", "=", " = ", " is ", ":= "})
		first := rapid.SampledFrom([]string{
			"none", "TBD", "swordfish", "${DB_PASS}", "$X", "****", "xxxxxxxx", "<password>", "changeme!", "Abc12345", "x", "a;b", `it"s`, "f(x)", "https://x.example/1", "secret<i", "&'static", "!vault",
		}).Draw(t, "first")
		joint := rapid.SampledFrom([]string{";", `"`, "'", "`", "<", ">", ",", "|", "(", `\"`, "; ", " ", "\n", "<b>", "</td><td>", "&", `","x":"y",`, ";url:https://x.example;", `"/>`}).Draw(t, "joint")
		second := rapid.StringMatching(`Q[a-z0-9]{2,8}7[A-Za-z]Z`).Draw(t, "second")
		text := name.Draw(t, "name") + sign.Draw(t, "sign") + first + joint + name.Draw(t, "second name") + sign.Draw(t, "second sign") + second
		clean, _ := redact.Text(text)
		require.NotContains(t, clean, second, text)
	})
}
