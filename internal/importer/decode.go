package importer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"mneme/internal/inbound"
	"mneme/memory"
)

// decode reads one JSON value into a struct that names every field there may be.
func decode(text []byte, into any) error {
	// The decoder would put replacement characters in silence.
	if !utf8.Valid(text) {
		return memory.Invalid("", "the text is not valid UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		if plain, fault := plainTimes(text); fault == nil && plain != nil {
			return decode(plain, into)
		}
		return memory.Invalid("", "%s", inbound.InWords(err))
	}
	if lenientTime.Match(text) {
		if _, fault := plainTimes(text); fault != nil {
			return fault
		}
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return memory.Invalid("", "something follows the record")
	}
	return nil
}

// timeFields are the fields of records that hold times.
var timeFields = []string{"at", "startedAt", "endedAt"}

// lenientTime is a time that encoding/json reads and the RFC does not know.
var lenientTime = regexp.MustCompile(`T\d:\d\d:|:\d\d,\d`)

// plainTimes writes the times of a record as encoding/json reads them, nil where it has none. It fails where a door
// would refuse one.
func plainTimes(text []byte) (plain []byte, fault error) {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(text, &fields) // what is no object has no times
	for _, name := range timeFields {
		var sent *string
		if json.Unmarshal(fields[name], &sent) != nil || sent == nil {
			continue
		}
		at, err := memory.ParseTime(name, *sent)
		if err != nil {
			return nil, err
		}
		if written := at.Format(time.RFC3339Nano); strings.ContainsAny(*sent, "tz") || strings.Contains(*sent, ":60") {
			fields[name] = json.RawMessage(`"` + written + `"`)
			plain = []byte{}
		}
	}
	if plain == nil {
		return nil, nil
	}
	return json.Marshal(fields)
}

// keys makes keys for records that bring none, from their content, so that the same file imported
// again makes the same keys. Equal records are told apart by their order.
type keys map[[sha256.Size]byte]int

func (k keys) of(kind memory.Kind, content ...[]byte) string {
	hash := sha256.New()
	for _, part := range append([][]byte{[]byte(kind)}, content...) {
		fmt.Fprintf(hash, "%d:", len(part))
		hash.Write(part)
	}
	sum := [sha256.Size]byte(hash.Sum(nil))
	k[sum]++
	key := "import-" + hex.EncodeToString(sum[:12])
	if k[sum] > 1 {
		key = fmt.Sprintf("%s-%d", key, k[sum])
	}
	return key
}
