package service

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/store"
)

// Unreadable gathers, for a front end, which records reads left out because they cannot be read, each once. The zero value is ready.
type Unreadable struct{ damage store.Damage }

// Within lets reads of a context tell of what they leave out.
func (u *Unreadable) Within(ctx context.Context) context.Context {
	return store.WithDamage(ctx, u.damage.Note)
}

// Errors are those so far, by the ids of the records.
func (u *Unreadable) Errors() []*memory.Error {
	found := u.damage.Found()
	errs := make([]*memory.Error, len(found))
	for i, damaged := range found {
		errs[i] = unreadable(damaged)
	}
	return errs
}

func unreadable(damaged *store.Damaged) *memory.Error {
	if damaged.Kind == store.KindSetting {
		return lostSetting(damaged)
	}
	return &memory.Error{
		Code: memory.CodeDamaged, ID: damaged.ID(), Cause: damaged,
		Message: damaged.ID() + " cannot be read, and is left out; mneme doctor tells more",
	}
}

// damagedError is the domain's error for a call that is about one damaged record; nil where err is another.
func damagedError(err error) *memory.Error {
	var damaged *store.Damaged
	if !errors.As(err, &damaged) {
		return nil
	}
	refused := unreadable(damaged)
	if damaged.Kind == store.KindSetting {
		return refused
	}
	refused.Message = damaged.ID() + " cannot be read; mneme doctor tells more"
	return refused
}

// lostSetting is the error of what cannot be done without a setting of the store.
func lostSetting(damaged *store.Damaged) *memory.Error {
	return &memory.Error{
		Code: memory.CodeDamaged, ID: damaged.ID(), Cause: damaged,
		Message: "the setting " + damaged.Key + " of the store is gone or cannot be read; mneme doctor tells more, and mneme doctor --mend makes anew what can be",
	}
}
