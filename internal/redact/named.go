package redact

import (
	"strings"

	"mneme/memory"
	"mneme/memory/redaction"
)

// fields are what the names end in, signs aside and in lower case, whose value is a secret whatever it looks like; an s
// may follow.
var fields = map[string]string{
	"password": passwordKind, "passwd": passwordKind, "passphrase": passwordKind, "passcode": passwordKind, "passwort": passwordKind, "pwd": passwordKind,
	"dbpass": passwordKind, "sqlpass": passwordKind, "smtppass": passwordKind, "rootpass": passwordKind, "adminpass": passwordKind, "userpass": passwordKind,
	"apikey": genericKind, "secretkey": genericKind, "secretaccesskey": genericKind, "privatekey": genericKind, "clientsecret": genericKind,
	"accesstoken": genericKind, "refreshtoken": genericKind, "authtoken": genericKind, "authorization": headerKind,
}

// maxName is how much of the end of a name is looked at: many values may go by one name.
const maxName = 64

// kindByName is the kind of secret that a field of this name holds, empty where its name does not say so.
func kindByName(name string) string {
	plain := strings.TrimSuffix(withoutSigns.Replace(strings.ToLower(name)), "s")
	for ending, kind := range fields {
		if strings.HasSuffix(plain, ending) {
			return kind
		}
	}
	return ""
}

var withoutSigns = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

// assignedBytes is more than the rules take for the value of an assignment.
const assignedBytes = 4096

// named is text for the value of a field: one named "password" holds a password, whatever it looks like. Others are
// judged as a text, and then as the assignment that they are; one without a name is a text.
func named(stop func() error, name, value string) (clean string, redactions []memory.Redaction) {
	if name == "" {
		return text(stop, value)
	}
	name = redaction.ReadingOf(name[max(0, len(name)-maxName):], ofASCII).Text
	kind := kindByName(name)
	if kind != "" && isNamedSecret(kind, value) {
		return markBegin + kind + "]", []memory.Redaction{{Kind: kind, Count: 1}}
	}
	clean, redactions = text(stop, value)
	if kind == passwordKind || len(clean) > assignedBytes || strings.ContainsAny(clean, "\n\"") {
		return clean, redactions // no value of an assignment
	}
	head := name + ` = "`
	assigned, more := text(stop, head+clean+`"`)
	value, ok := strings.CutPrefix(assigned, head)
	if value, closed := strings.CutSuffix(value, `"`); ok && closed && len(more) > 0 {
		return value, append(redactions, more...)
	}
	return clean, redactions
}

// isNamedSecret tells a secret from what describes or stands for one. Of secrets only a password has blanks in it.
func isNamedSecret(kind, value string) bool {
	return len(value) >= leastNamed && !strings.Contains(value, markBegin) && isPhrase(value) &&
		(kind == passwordKind || !strings.ContainsAny(value, " \t\r\n"))
}
