package schema

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"mneme/store"
	"mneme/store/sqlite/db"
)

// What a tenant keeps once. All but the input key follow from what is kept beside it, so that where one of them
// cannot be read, mneme goes on without it.
const (
	SettingInputKey     = "input_key"
	SettingVectorLength = "vector_length"
	SettingVacuum       = "vacuum" // a mark, where the file is to be vacuumed
)

// SoundSettings say which values each can have, as SQL.
var SoundSettings = map[string]string{
	SettingInputKey:     fmt.Sprintf(`typeof(value) = 'blob' AND length(value) = %d`, store.InputKeyBytes),
	SettingVectorLength: fmt.Sprintf(`typeof(value) = 'integer' AND value BETWEEN 1 AND %d`, store.LongestVector),
	SettingVacuum:       `typeof(value) = 'integer' AND value > 0`,
}

// Setting is the value of a setting, nil where it is none that it can have, and whether it is there.
func Setting(c *db.Conn, name string) (value any, there bool, err error) {
	there, err = c.One(`SELECT iif(`+SoundSettings[name]+`, value, NULL) FROM settings WHERE name = :name`,
		func(r *db.Row) { value = r.Values[0] }, db.Arg("name", name))
	return value, there, err
}

// SetSetting writes a setting, and nothing where it has the value already.
func SetSetting(c *db.Conn, name string, value any) error {
	const set = `INSERT INTO settings (name, value) VALUES (:name, :value)
		ON CONFLICT DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value`
	return c.Exec(set, db.Arg("name", name), db.Arg("value", value))
}

// InputKey is the key that is there, nil for none.
func InputKey(c *db.Conn) (key []byte, err error) {
	value, _, err := Setting(c, SettingInputKey)
	key, _ = value.([]byte)
	return key, err
}

// AnyHashed says whether the tenant has anything that was hashed with an input key.
func AnyHashed(c *db.Conn) (bool, error) {
	return c.Has(`SELECT 1 FROM nodes UNION ALL SELECT 1 FROM tombstones LIMIT 1`)
}

// LostInputKey is store.Damaged where the key is gone or cannot be read that something was hashed with.
func LostInputKey(c *db.Conn) error {
	value, there, err := Setting(c, SettingInputKey)
	if err != nil || value != nil {
		return err
	}
	hashed, err := AnyHashed(c)
	if err != nil || !hashed {
		return err
	}
	cause := errors.New("it is gone")
	if there {
		cause = errors.New("its value is none")
	}
	return &store.Damaged{Kind: store.KindSetting, Key: SettingInputKey, Cause: cause}
}

// MakeInputKey makes a key in the place of one that is gone or cannot be read, and answers what is there.
func MakeInputKey(c *db.Conn) ([]byte, error) {
	key, err := InputKey(c)
	if err != nil || key != nil { // made meanwhile
		return key, err
	}
	key = store.NewInputKey()
	return key, SetSetting(c, SettingInputKey, key)
}

// EnsureInputKey makes the key where there is none and nothing was hashed with one, and answers what is there.
func EnsureInputKey(c *db.Conn) ([]byte, error) {
	if err := LostInputKey(c); err != nil {
		return nil, err
	}
	return MakeInputKey(c)
}

// MarkVacuum makes a vacuum due, in the transaction of a delete. The mark is another with each, so that what is deleted
// while the file is vacuumed stays marked.
func MarkVacuum(c *db.Conn) error {
	return SetSetting(c, SettingVacuum, 1+rand.Int64N(1<<62)) //nolint:gosec // it is no secret, only another than the last
}

// VacuumMark is the mark of the vacuum that is due, 0 for none. In place of one that cannot be read it makes another.
func VacuumMark(c *db.Conn) (int64, error) {
	for {
		value, there, err := Setting(c, SettingVacuum)
		if mark, sound := value.(int64); sound || !there || err != nil {
			return mark, err
		}
		if err := MarkVacuum(c); err != nil {
			return 0, err
		}
	}
}
