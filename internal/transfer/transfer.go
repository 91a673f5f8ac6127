package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"mneme/internal/inbound"
	"mneme/memory"
	"mneme/service"
	"mneme/service/faults"
	"mneme/service/upkeep"
	"mneme/store"
)

// codec translates items of one kind.
type codec struct {
	kind memory.Kind
	// encode gives the fields of an item's line; ok is false for an item of another kind.
	encode func(store.Item) (fields any, ok bool)
	decode func(kept []byte) (store.Item, error)
}

// of makes the codec of a kind from the two conversions between its item and the fields of its line.
func of[I store.Item, F any](kind memory.Kind, to func(I) F, from func(F) I) codec {
	return codec{
		kind: kind,
		encode: func(item store.Item) (any, bool) {
			typed, ok := item.(I)
			if !ok {
				return nil, false
			}
			return to(typed), true
		},
		decode: func(kept []byte) (store.Item, error) {
			if err := memory.KeptJSON.Check("kept", kept); err != nil {
				return nil, err
			}
			var fields F
			if err := inbound.Decode(kept, &fields); err != nil {
				return nil, err
			}
			if head, ok := any(fields).(keptTenant); ok && (head.Format != Format) {
				return nil, memory.Invalid("format", "is %d, and this mneme reads %d: use the version that exported it", head.Format, Format)
			}
			item := from(fields)
			if err := store.Check(item); err != nil {
				return nil, err
			}
			return item, nil
		},
	}
}

// plain makes the codec of a kind whose lines have the fields of its item.
func plain[T any, I interface {
	*T
	store.Item
}](kind memory.Kind) codec {
	return of(kind, func(item I) T { return *item }, func(fields T) I { return &fields })
}

// Kinds are the kinds of lines, in the order in which an export has them.
var Kinds = memory.Mapped(codecs, func(c codec) memory.Kind { return c.kind })

// line is an item as it is written.
type line struct {
	Kind memory.Kind `json:"kind"`
	Kept any         `json:"kept"`
}

// Encode writes an item as a line with its end, and tells its kind.
func Encode(item store.Item) (memory.Kind, []byte, error) {
	for _, c := range codecs {
		fields, ok := c.encode(item)
		if !ok {
			continue
		}
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		err := encoder.Encode(line{c.kind, fields})
		return c.kind, text.Bytes(), err
	}
	return "", nil, fmt.Errorf("there is no line for a %T", item)
}

// Decode reads the kept part of a line of a kind. Its errors are
// INVALID_INPUT, or LIMIT_EXCEEDED where it nests deeper than anything that is kept.
func Decode(kind memory.Kind, kept []byte) (store.Item, error) {
	for _, c := range codecs {
		if c.kind == kind {
			return c.decode(kept)
		}
	}
	return nil, memory.Invalid("kind", "nothing of this kind is kept")
}

// Account counts the lines of an export by kind.
type Account map[memory.Kind]int

// Records is the number of records: relations, tombstones and the line of the tenant are none.
func (a Account) Records() int {
	sum := 0
	for _, kind := range memory.Kinds {
		sum += a[kind]
	}
	return sum
}

// Export writes all that a tenant keeps. It has one record in memory at a time. progress,
// where it is not nil, is told of every line. What cannot be read is left out: the lines of the others are whole,
// and the error is DAMAGED and says how many there are.
func Export(ctx context.Context, tenant *service.Tenant, to io.Writer, progress func(Account)) (Account, error) {
	account := Account{}
	var unread faults.Unreadable
	err := tenant.Upkeep.Export(unread.Within(ctx), func(item upkeep.Kept) error {
		kind, text, err := Encode(item)
		if err != nil {
			return err
		}
		if _, err := to.Write(text); err != nil {
			return err
		}
		account[kind]++
		if progress != nil {
			progress(account)
		}
		return nil
	})
	if left := unread.Errors(); err == nil && len(left) > 0 {
		err = &memory.Error{Code: memory.CodeDamaged, Message: fmt.Sprintf(
			"%d cannot be read, or belong to what cannot, and are not in the export, which is whole otherwise: %s first; mneme doctor finds them all", len(left), left[0].ID)}
	}
	return account, err
}
