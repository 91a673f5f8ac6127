package redact_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"mneme/internal/redact"
	"mneme/memory/compaction"
	"mneme/memory/redaction"
)

// longestMark is the most bytes by which a mark is longer than what it stands for.
const longestMark = 64

// FuzzRedactor: of what is kept, nothing is private, no secret is recognised when it is looked at again, and it
// grows by no more than the marks.
func FuzzRedactor(f *testing.F) {
	for _, test := range planted {
		f.Add(test.before, test.after, test.secret)
	}
	f.Add("pass\u200bword\uff1a ", "\u2060x", "ｈｕｎｔｅｒ２ｘ９")
	f.Add("ｐａｓｓｗｏｒｄ＂：＂", "＂\u00ad", "[secret:\u200bjwt]hunter2x9")
	f.Add("password: basically ", " x", "hunter2x9")
	f.Add("{\"password=", "\"};x=", `a"b;c<d>1&amp;e=`)
	f.Add("change the password from ", " to x1y2z3 and", "hunter2x9, `")
	f.Add("key = please ", ">", "< private")
	f.Add(`{"a\":\"`, `</private>`, `%3cprivate%3e`)
	f.Fuzz(func(t *testing.T, before, after, middle string) {
		if strings.Contains(before+after+middle, "QsecretQ") {
			t.Skip("the text says it itself")
		}
		for _, level := range compaction.Levels {
			text := before + middle + "<private>QsecretQ</private>" + after
			first := redaction.Redactor{Rules: redact.Rules(), Compaction: level}
			_, kept := first.Prose(text)
			plain := first.Text(text)
			count := 0
			for _, r := range first.Receipt().Redactions {
				count += r.Count
			}
			for _, clean := range []string{kept, plain} {
				again := redaction.Redactor{Rules: redact.Rules()}
				if same := again.Text(clean); same != clean || len(again.Receipt().Redactions) > 0 {
					t.Fatalf("%s: %q becomes %q becomes %q", level, text, clean, same)
				}
				if strings.Contains(clean, "QsecretQ") || len(clean) > len(text)+count*longestMark || utf8.ValidString(text) && !utf8.ValidString(clean) {
					t.Fatalf("%s: %q becomes %q", level, text, clean)
				}
			}
		}
		value, err := json.Marshal(map[string]any{before: []string{middle, after, "<private>QsecretQ"}, "a": map[string]string{middle: before}})
		if err != nil {
			t.Fatal(err)
		}
		first, second := redaction.Redactor{Rules: redact.Rules()}, redaction.Redactor{Rules: redact.Rules()}
		clean := first.JSON(value)
		if same := second.JSON(clean); string(same) != string(clean) || strings.Contains(string(clean), "QsecretQ") {
			t.Fatalf("%s becomes %s becomes %s", value, clean, same)
		}
	})
}
