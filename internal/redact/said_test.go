package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/internal/redact"
)

func TestSecretsInSentences(t *testing.T) {
	for given, want := range map[string]string{
		"login with user bob and password Tr0ub4dor&3":                   "login with user bob and password #",
		"with password Abc12345":                                         "with password #",
		"Log in with password Abc12345!, then go":                        "Log in with password #, then go",
		"with password `Abc12345`.":                                      "with password `#`.",
		`using the passphrase "Abc12345" here`:                           `using the passphrase "#" here`,
		"use the new password Abc12345":                                  "use the new password #",
		"with password admin123 or so":                                   "with password # or so",
		"The password was user1234.":                                     "The password was #.",
		"with password 12345678":                                         "with password #",
		"password was Abc12345":                                          "password was #",
		"His password was 12345678.":                                     "His password was #.",
		"The password was reset to Abc12345":                             "The password was reset to #",
		"The password has been changed to 'Abc12345'":                    "The password has been changed to '#'",
		"password set to Abc;12345!":                                     "password set to #",
		"The password is now set to: Abc12345.":                          "The password is now set to: #.",
		"changed the password to Abc12345":                               "changed the password to #",
		"I reset his account's password to Abc12345 today":               "I reset his account's password to # today",
		"changed the password from Abc12345 to Def67890":                 "changed the password from # to #",
		"passwords: Abc12345 and Def67890":                               "passwords: # and #",
		"The passwords are Abc12345, `Def67890` or x1y2z3":               "The passwords are #, `#` or #",
		"my password's Abc12345":                                         "my password's #",
		"my password’s Abc12345, ok":                                     "my password’s #, ok",
		"with pwd Abc12345":                                              "with pwd #",
		"with ｐａｓｓｗｏｒｄ Abc12345":                                         "with ｐａｓｓｗｏｒｄ #",
		"the API key is " + "8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d":           "the API key is %",
		"token " + "8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d":                    "token %",
		"the access token was `" + letters(24) + "`.":                    "the access token was `%`.",
		"Our keys are " + letters(40) + ", ok":                           "Our keys are %, ok",
		"the key " + hexadecimal(32) + " works":                          "the key % works",
		"API key 0190d3c2-7a5b-7def-8123-456789abcdef":                   "API key %",
		"the next access token is " + letters(30):                        "the next access token is %",
		"The session token is " + letters(30):                            "The session token is %",
		"client secret is " + letters(30) + ".":                          "client secret is %.",
		"The token was changed to " + letters(30) + "." + letters(10):    "The token was changed to %",
		"the apikey is " + lower(30) + " and the monkey is " + lower(30): "the apikey is % and the monkey is " + lower(30),
	} {
		clean, _ := redact.Text(given)
		list := "[secret:password]"
		for _, joint := range []string{"# to #", "# and #", "#, `#` or #"} { // a list is taken out as one
			want = strings.ReplaceAll(want, joint, "#")
		}
		assert.Equal(t, strings.NewReplacer("#", list, "%", "[secret:generic-api-key]").Replace(want), clean, given)
	}
}

func TestSentencesAboutSecretsStayWhole(t *testing.T) {
	for _, text := range []string{
		"password was reset", "The password was reset to the default on 2026-01-31.", "the password policy requires 12345 days", "the password 2026-01-31",
		"password manager2", "with password manager2", "the password SHA256 hash", "with password OAuth2Client", "passwords are bcrypt2-hashed", "password was sha256-hashed",
		"the password's 90-day expiry", "the password's 12-character minimum", "password was 2FA-protected", "with password v1.2.3-rc1", "passwords: 10000000 leaked",
		"hash the password 100000 times", "I sent the password to mia_li_3668.", "She gave the password to agent007", "changed the password to a longer one",
		"the password was bob1@example.com", "with password file1.txt", "the password ABC-12345", "the password was in /etc/app1/x", "cd and pwd v1dir2",
		"The password was changed 3 times to 12345678 people", "password to Windows10", "the password check12(x)",
		"got a password from user12345", "gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356", "PGP key 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
		"def f(private_key: ed25519.Ed25519PrivateKey, x)", "unknown key PeterNeumann+c74f20a4", "token budget 4096", "key decisions", "token 1234567890123456789012", "the key customer_reservations_2025", "S3 key uploads/2026/01/file-ab12cd34.png",
		"partition key 01J9ZK3V5Q8X2M7N4B6C1D0EFG", "the commit key is 3fae2b9c0d1e4f5a6b7c8d9e0f1a2b3c4d5e6f70", "public key is " + letters(44),
		"the token 0xdAC17F958D2ee523a2206206994597C13D831ec7", "the secret app-config-7f3a9c21bd-x2", "the key app-config-7f3a9c21bd-x2", "a key is internationalization-2026",
		"monkeys 8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d",
		"The episode key is 0190d3c2-7a5b-7def-8123-456789abcdef", "The run key is " + hexadecimal(32), "the record key was " + hexadecimal(32), "session keys are " + hexadecimal(32),
		"trace key " + hexadecimal(32), "The span key is " + hexadecimal(32), "the concept key is " + hexadecimal(32), "section key: is " + hexadecimal(32), "the task key is " + hexadecimal(32),
		"page token " + letters(30), "cursor token " + letters(30), "the next-page token is " + letters(30), "nextPageToken is " + letters(30), "The next token is " + letters(30), "continuation token " + letters(30),
	} {
		clean, _ := redact.Text(text)
		assert.Equal(t, text, clean)
	}
}
