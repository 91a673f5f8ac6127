package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"mneme/internal/inbound"
	"mneme/memory"
)

// errNotUTF8 is the fault of a text in another encoding.
var errNotUTF8 = memory.Invalid("", "the text is not UTF-8: save the file as UTF-8")

// read decodes a record, whose type names every field there may be, and checks what must be there, and what its type
// asks for besides.
func read[T any](text []byte, must ...string) (record T, err error) {
	if !utf8.Valid(text) { // the decoder would put replacement characters in silence
		return record, errNotUTF8
	}
	if err := inbound.Decode(text, &record); err != nil {
		return record, err
	}
	if len(must) > 0 {
		fields, _ := memory.JSONFields(text)
		for _, field := range must {
			if value := fields[field]; value == nil || string(value) == "null" {
				return record, memory.Invalid(field, "must be there")
			}
		}
	}
	if checked, ok := any(&record).(interface{ check() error }); ok {
		err = checked.check()
	}
	return record, err
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
