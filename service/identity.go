package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
)

// hashVersion is the first byte of the hash of an input, and says how it was made. Raise it with every change of
// what is hashed, and let identity bring along what the hash was before; the stores then go on recognising the
// retry of a write from before the change.
//
//	none: 16 bytes, of the input with its names as they were given
//	2:    17 bytes, of the input with its names in their form
const hashVersion = 2

// hashBytes is the length of a hash without its version, and of those from before they had one.
const hashBytes = 16

// identity is by what a record is known to be the same again.
type identity struct {
	hash   []byte
	former store.Former
}

// identified builds a record of an input, with its identity: the hash of the input that build says it was made of, with
// all names in their form, and the hashes by which earlier versions knew it: with its names as they are given, with blank
// texts that are kept, or with both.
func identified[R any](ctx context.Context, t *tenant, build func(b *boundary) (record R, input any)) (R, identity, error) {
	b := t.boundary(ctx)
	record, input := build(b)
	if b.err == nil { // what is refused makes no key, and so no tenant
		b.fail(t.keyed(ctx))
	}
	if b.err != nil {
		var none R
		return none, identity{}, b.err
	}
	known := identity{hash: t.hash(input), former: store.Former{Hashes: [][]byte{t.mac(input)}, IDs: formerIDs(&record, nil)}}
	again := func(naming naming, blanks bool) (record R, input any, ok bool) {
		b := t.boundary(ctx)
		b.naming, b.blanks = naming, blanks
		record, input = build(b)
		return record, input, b.err == nil
	}
	namings, blanks := []naming{namesKept}, []bool{false}
	if b.unformed {
		if _, input, ok := again(namesFormed, false); ok {
			known.hash = t.hash(input)
		}
		namings = append(namings, namesFormed)
	}
	if b.respelled || b.unformed {
		namings = append(namings, namesGiven)
		if before, _, ok := again(namesGiven, false); ok {
			known.former.IDs = formerIDs(&record, &before)
		}
	}
	if b.blank {
		blanks = append(blanks, true)
	}
	for _, naming := range namings {
		for _, blanks := range blanks {
			if naming == namesKept && !blanks {
				continue // the input itself
			}
			if _, input, ok := again(naming, blanks); ok {
				known.former.Hashes = append(known.former.Hashes, t.hash(input), t.mac(input))
			}
		}
	}
	return record, known, nil
}

// formerIDs are the ids by which a record, or whose it is, was known with its names as they are given, where they
// are others: what was deleted for good under them is forgotten too.
func formerIDs[R any](record, before *R) []string {
	now, isItem := any(record).(store.Item)
	if !isItem {
		return nil
	}
	others := otherPeople(now.Owners())
	if before != nil {
		then, _ := any(before).(store.Item)
		others = append(others, append(then.Owners(), then.ID())...)
	}
	ids := append(now.Owners(), now.ID())
	return slices.DeleteFunc(distinct(others), func(id string) bool { return id == "" || slices.Contains(ids, id) })
}

// otherPeople are the people among owners in all other spellings, in which they are forgotten together.
func otherPeople(owners []string) (others []string) {
	for _, owner := range owners {
		person, is := strings.CutPrefix(owner, memory.NodeID(memory.KindPerson, ""))
		if !is {
			continue
		}
		for _, spelling := range spellingsOf(person) {
			if spelling != person {
				others = append(others, memory.NodeID(memory.KindPerson, spelling))
			}
		}
	}
	return others
}

// hash identifies a record's content: a keyed hash of its redacted input, so that the same content
// again is known to be the same and nobody without the tenant's secret can test guesses at it.
func (t *tenant) hash(input any) []byte {
	return append([]byte{hashVersion}, t.mac(input)...)
}

// mac is a keyed hash of a plain value, by the key that keyed saw to.
func (t *tenant) mac(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("service: an input that cannot be encoded: " + err.Error()) // inputs are plain structs
	}
	mac := hmac.New(sha256.New, *t.key.Load())
	mac.Write(text)
	return mac.Sum(nil)[:hashBytes]
}
