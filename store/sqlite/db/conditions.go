package db

import (
	"database/sql/driver"
	"strings"

	"mneme/store"
)

// Conditions are what a query asks, joined by AND, with their parameters. The texts are
// constants; what a caller gives is always a parameter.
type Conditions struct {
	Texts []string
	Args  []driver.NamedValue
}

// Add asks for one more, with the parameters in it.
func (w *Conditions) Add(text string, args ...driver.NamedValue) {
	w.Texts = append(w.Texts, text)
	w.Args = append(w.Args, args...)
}

// AddGiven asks for one more, where the value of the parameter in it is given.
func (w *Conditions) AddGiven(text, name string, value any) {
	if arg := Arg(name, value); arg.Value != nil {
		w.Add(text, arg)
	}
}

// SQL joins the conditions; none is always true.
func (w *Conditions) SQL() string {
	if len(w.Texts) == 0 {
		return "1"
	}
	return strings.Join(w.Texts, " AND ")
}

// AddAfter goes on behind a position in the order newest first, then by the key of k.
func (w *Conditions) AddAfter(column string, after *store.Position) {
	if after != nil {
		w.Add(column+` <= :after_at AND (`+column+` < :after_at OR k.key > :after_key)`,
			Arg("after_at", after.At), Arg("after_key", after.Key))
	}
}

// AddAfterName goes on behind a name, in the order of names that are unique.
func (w *Conditions) AddAfterName(column string, after *store.Position) {
	if after != nil {
		w.Add(column+` > :after_key`, Arg("after_key", after.Key))
	}
}
