// Package restoring takes items back into a tenant, in the same way in each store: it decides what tombstones keep out,
// and what is written together.
package restoring

import (
	"fmt"
	"reflect"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// Tx is what the write of a store does for this package. Each verb is for many items at once.
type Tx interface {
	// RestoreTenant takes back what a tenant has once. It is ErrConflict where the tenant has records that were hashed
	// with another key.
	RestoreTenant(item *store.TenantItem) error
	// Buried locks tombstones, there or not, and gives those of global ids that have one.
	Buried(ids []string) (linking.KeySet, error)
	// Bury leaves tombstones, and Unbury takes them away.
	Bury(ids ...string) error
	Unbury(ids []string) error
	// Present gives those of global ids of which there is a record. They stay there.
	Present(ids []string) (linking.KeySet, error)
	// WriteItems writes items of one type, and answers for each.
	WriteItems(items []store.Item) ([]store.Recorded, error)
}

// Restore takes items back; see store.Transfer.
func Restore(tx Tx, items []store.Item, force bool) ([]store.Recorded, error) {
	for _, item := range items { // what else comes is hashed with its key
		if tenant, ok := item.(*store.TenantItem); ok {
			if err := tx.RestoreTenant(tenant); err != nil {
				return nil, err
			}
		}
	}
	all := make([]store.Recorded, 0, len(items))
	for len(items) > 0 {
		part := untilTombstones(items)
		recorded, err := restore(tx, slices.Clone(items[:part]), force)
		if err != nil {
			return nil, err
		}
		all, items = append(all, recorded...), items[part:]
	}
	return all, nil
}

// untilTombstones is how many items there are until tombstones end, which may keep out what comes behind them.
func untilTombstones(items []store.Item) int {
	for i := 1; i < len(items); i++ {
		_, was := items[i-1].(store.Tombstone)
		if _, is := items[i].(store.Tombstone); was && !is {
			return i
		}
	}
	return len(items)
}

// restore takes back items of which none is kept out by another.
func restore(tx Tx, items []store.Item, force bool) ([]store.Recorded, error) {
	keptOut, err := admit(tx, items, force)
	if err == nil {
		err = withoutForgotten(tx, items, force)
	}
	if err != nil {
		return nil, err
	}
	recorded := make([]store.Recorded, len(items))
	for first := 0; first < len(items); {
		kind, run, places := reflect.TypeOf(items[first]), []store.Item{}, []int{}
		for ; first < len(items) && (reflect.TypeOf(items[first]) == kind || keptOut[first]); first++ {
			recorded[first].Key = items[first].ID()
			if keptOut[first] {
				recorded[first].Err = store.ErrForgotten
				continue
			}
			run, places = append(run, items[first]), append(places, first)
		}
		written, err := writeRun(tx, run)
		if err != nil {
			return nil, err
		}
		for i, place := range places {
			recorded[place].Created, recorded[place].Err = written[i].Created, written[i].Err
		}
	}
	return recorded, nil
}

// writeRun writes neighbouring items of one type.
func writeRun(tx Tx, run []store.Item) ([]store.Recorded, error) {
	if len(run) == 0 {
		return nil, nil
	}
	if _, ok := run[0].(*store.TenantItem); ok { // which came first
		return make([]store.Recorded, len(run)), nil
	}
	return tx.WriteItems(run)
}

// admit tells, of items by their place, those that tombstones keep out, which leave others; with force it takes the
// tombstones away instead. Items whose records are there already are not kept out. It unwraps what is guarded.
func admit(tx Tx, items []store.Item, force bool) (map[int]bool, error) {
	guards, own := make([][]string, len(items)), make([]string, len(items))
	leaves := make([]string, len(items))
	for i, item := range items {
		leaves[i] = store.Leaves(item)
		if guarded, ok := item.(*store.Guarded); ok {
			guards[i], items[i] = guarded.Unless, guarded.Item
			continue
		}
		guards[i] = store.Owners(item)
		if own[i] = item.ID(); own[i] != "" {
			guards[i] = append(guards[i], own[i])
		}
	}
	all := slices.Concat(guards...)
	if len(all) == 0 {
		return nil, nil
	}
	var buried linking.KeySet
	if !force {
		var err error
		if buried, err = tx.Buried(all); err != nil || len(buried) == 0 {
			return nil, err
		}
	}
	// Where there are tombstones a deletion may be under way, so what is there has to stay until it is looked at again.
	there, err := tx.Present(slices.DeleteFunc(slices.Clone(own), func(id string) bool { return id == "" }))
	if err != nil {
		return nil, err
	}
	if force {
		return nil, unbury(tx, guards, own, there)
	}
	keptOut, left := map[int]bool{}, []string{}
	for i := range items {
		if !there.Has(own[i]) && slices.ContainsFunc(guards[i], buried.Has) {
			if keptOut[i] = true; leaves[i] != "" {
				left = append(left, leaves[i])
				buried.Add(leaves[i])
			}
		}
	}
	if len(left) == 0 {
		return keptOut, nil
	}
	return keptOut, tx.Bury(left...)
}

// unbury takes away the tombstones that would keep items out.
func unbury(tx Tx, guards [][]string, own []string, there linking.KeySet) error {
	ids := linking.KeySet{}
	for i := range guards {
		if !there.Has(own[i]) {
			ids.Add(guards[i]...)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return tx.Unbury(ids.Sorted())
}

// withoutForgotten takes labels by people with a tombstone from verdicts; with force it takes the tombstones away.
func withoutForgotten(tx Tx, items []store.Item, force bool) error {
	people := linking.KeySet{}
	for _, item := range items {
		if v, ok := item.(*store.VerdictRecord); ok && v.LabelledBy != nil {
			people.Add(memory.NodeID(memory.KindPerson, *v.LabelledBy))
		}
	}
	if len(people) == 0 {
		return nil
	}
	if force {
		return tx.Unbury(people.Sorted())
	}
	buried, err := tx.Buried(people.Sorted())
	for i, item := range items {
		if v, ok := item.(*store.VerdictRecord); ok && v.LabelledBy != nil && buried.Has(memory.NodeID(memory.KindPerson, *v.LabelledBy)) {
			unlabelled := *v
			unlabelled.Label, unlabelled.LabelledBy = nil, nil
			items[i] = &unlabelled
		}
	}
	return err
}

// Writer writes items where they are of its type.
type Writer[T any] func(tx T, items []store.Item) (recorded []store.Recorded, known bool, err error)

// Write writes items of one type by the writer for these.
func Write[T any](writers []Writer[T], tx T, items []store.Item) ([]store.Recorded, error) {
	for _, write := range writers {
		if recorded, known, err := write(tx, items); known {
			return recorded, err
		}
	}
	return nil, fmt.Errorf("%w: nothing is known of a %T", store.ErrInvalid, items[0])
}

// Items makes a writer of a function that writes records.
func Items[T any, I store.Item](write func(tx T, items []I) ([]store.Recorded, error)) Writer[T] {
	return func(tx T, items []store.Item) ([]store.Recorded, bool, error) {
		typed := make([]I, len(items))
		for i, item := range items {
			var known bool
			if typed[i], known = item.(I); !known {
				return nil, false, nil
			}
		}
		recorded, err := write(tx, typed)
		return recorded, true, err
	}
}

// Values is Items for a function that takes the records themselves.
func Values[T, R any, I interface {
	*R
	store.Item
}](write func(tx T, records []R) ([]store.Recorded, error)) Writer[T] {
	return Items(func(tx T, items []I) ([]store.Recorded, error) {
		values := make([]R, len(items))
		for i, item := range items {
			values[i] = *item
		}
		return write(tx, values)
	})
}

// Kept is Items for what is no record.
func Kept[T any, I store.Item](write func(tx T, items []I) error) Writer[T] {
	return Items(func(tx T, items []I) ([]store.Recorded, error) {
		return make([]store.Recorded, len(items)), write(tx, items)
	})
}
