package redact

import (
	"strings"

	"mneme/memory"
	"mneme/memory/redaction"
)

const passwordKind = "password"

// secretNames are the names, without signs and in lower case, that end the name of a field whose value
// is a secret whatever it looks like, and the kind of that; an s may follow.
var secretNames = map[string]string{
	"password": passwordKind, "passwd": passwordKind, "passphrase": passwordKind, "passcode": passwordKind, "passwort": passwordKind, "pwd": passwordKind,
	"apikey": genericKind, "secretkey": genericKind, "clientsecret": genericKind,
	"secretaccesskey": genericKind, "privatekey": genericKind, "accesstoken": genericKind,
	"refreshtoken": genericKind, "authtoken": genericKind, "authorization": "authorization",
}

// secretEnds are the letters that the secretNames end in.
var secretEnds = endsOf(secretNames)

func endsOf(names map[string]string) string {
	var ends strings.Builder
	ends.WriteByte('s')
	for name := range names {
		ends.WriteByte(name[len(name)-1])
	}
	return ends.String()
}

// leastNamed is the bytes from which a value may be a secret by its name alone; shorter ones are "none",
// "text" or "***".
const leastNamed = 6

// named is Named until stop says to end it; what it gives then is nothing to be kept.
func named(stop func() error, name, value string) (clean string, redactions []memory.Redaction) {
	name = redaction.ReadingOf(name[max(0, len(name)-mostNamed):], ofASCII).Text // many values may go by one name
	kind := kindOf(name, value)
	if kind != "" && isNamedSecret(kind, value) && !saysElse(name, value) {
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
		counts := map[string]int{}
		for _, redaction := range append(redactions, more...) {
			counts[redaction.Kind] += redaction.Count
		}
		return value, listed(counts)
	}
	return clean, redactions
}

// kindOf is kindByName, for a value that may say more of a name such as "pass".
func kindOf(name, value string) string {
	is, sure := passName(name)
	if is && (sure || isBarePassword(value) && !hasBlank(value) && strings.Trim(value, "0123456789.,%/") != "") {
		return passwordKind
	}
	return kindByName(name)
}

// mostNamed is how much of the end of a name is looked at.
const mostNamed = 256

// assignedBytes is more than the rules take for the value of an assignment.
const assignedBytes = 4096

// kindByName is the kind of secret that a field of this name holds, empty where its name does not say so.
func kindByName(name string) string {
	if name == "" || !strings.ContainsRune(secretEnds, rune(name[len(name)-1]|0x20)) && isWord(name[len(name)-1]) && name[len(name)-1] != '_' {
		return "" // as nearly all
	}
	plain := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	one := strings.TrimSuffix(plain, "s")
	for ending, kind := range secretNames {
		if strings.HasSuffix(one, ending) {
			return kind
		}
	}
	return ""
}

// isNamedSecret tells a secret from what describes or stands for one. Of secrets only a password has
// blanks in it.
func isNamedSecret(kind, value string) bool {
	return len(value) >= leastNamed && (kind == passwordKind || !hasBlank(value)) &&
		!strings.Contains(value, markBegin) && isReal(value)
}
