package fields

import (
	"strconv"
	"time"

	"mneme/memory"
)

// Check says what is wrong with the values of fields: texts that say nothing, words of no set, times, counts and
// numbers beyond their ranges.
func (l List) Check() error { return l.check("") }

func (l List) check(within string) error {
	for _, f := range l {
		if err := check(within+exported(f.Name), f.At); err != nil {
			return err
		}
	}
	return nil
}

// exported is how a line of an export names a field.
func exported(name string) string {
	switch name {
	case "tokensBefore", "tokensAfter", "redactions":
		return "receipt." + name
	}
	return name
}

func check(name string, at any) error {
	switch at := at.(type) {
	case checked:
		return at.check(name)
	case *int:
		if memory.CheckKeptCount(int64(*at)) != nil {
			return memory.Invalid(name, "must be from 0 to %d", memory.MaxCount)
		}
	case *float64:
		if memory.CheckKeptNumber(*at) != nil {
			return memory.Invalid(name, "must be a number")
		}
	case Nullable:
		if held := at.held(); held != nil {
			return check(name, held)
		}
	case *time.Time:
		if at.IsZero() {
			return memory.Invalid(name, "must be there")
		}
		return memory.CheckTime(name, *at)
	case Rows:
		for i := range at.Len() {
			if err := at.Row(i).check(name + "." + strconv.Itoa(i) + "."); err != nil {
				return err
			}
		}
	}
	return nil
}
