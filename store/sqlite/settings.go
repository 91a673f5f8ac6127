package sqlite

import (
	"errors"
	"fmt"

	"mneme/store"
)

// What a tenant keeps once. All but the input key follow from what is kept beside it, so that where one of them
// cannot be read, mneme goes on without it.
const (
	settingInputKey     = "input_key"
	settingVectorLength = "vector_length"
	settingAnalysis     = "analysis"  // the version of package lexical that the word index was made with
	settingVacuum       = "vacuum"    // a mark, where the file is to be vacuumed
	settingVacuuming    = "vacuuming" // a mark, while it is
	// settingVersion is that of the schema, which is no row, but in the file's head.
	settingVersion = "user_version"
)

// latestAnalysis is more than any version of package lexical will be.
const latestAnalysis = 1_000_000

// soundSettings say which values each can have, as SQL.
var soundSettings = map[string]string{
	settingInputKey:     fmt.Sprintf(`typeof(value) = 'blob' AND length(value) = %d`, store.InputKeyBytes),
	settingVectorLength: fmt.Sprintf(`typeof(value) = 'integer' AND value BETWEEN 1 AND %d`, store.LongestVector),
	settingAnalysis:     fmt.Sprintf(`typeof(value) = 'integer' AND value BETWEEN 0 AND %d`, latestAnalysis),
	settingVacuum:       `typeof(value) = 'integer' AND value > 0`,
}

// presence says whether a setting is there.
type presence int

const (
	settingMissing presence = iota
	settingUnreadable
	settingThere
)

// setting hands the value of a setting to a function, if it is one that it can have.
func setting(c *conn, name string, read func(*row)) (state presence, err error) {
	_, err = c.one(`SELECT iif(`+soundSettings[name]+`, value, NULL) FROM settings WHERE name = :name`, func(r *row) {
		if r.values[0] == nil {
			state = settingUnreadable
			return
		}
		state = settingThere
		read(r)
	}, arg("name", name))
	return state, err
}

// setSetting writes a setting, and nothing where it has the value already.
func setSetting(c *conn, name string, value any) error {
	const set = `INSERT INTO settings (name, value) VALUES (:name, :value)
		ON CONFLICT DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value`
	return c.exec(set, arg("name", name), arg("value", value))
}

const settingsTable = "settings"

func hasSettings(c *conn) (bool, error) {
	return c.one(`SELECT 1 FROM sqlite_schema WHERE name = :name`, func(*row) {}, arg("name", settingsTable))
}

// restoreSettings makes the table of settings again where it is gone, since mneme can go on without any of them.
func restoreSettings(c *conn) error {
	if there, err := hasSettings(c); err != nil || there {
		return err
	}
	objects, err := latestObjects()
	if err != nil {
		return err
	}
	return c.script(objects[settingsTable].sql)
}

// inputKey is the key that is there, nil for none.
func inputKey(c *conn) (key []byte, err error) {
	_, err = setting(c, settingInputKey, func(r *row) { key = r.blob() })
	return key, err
}

// anyHashed says whether the tenant has anything that was hashed with an input key.
func anyHashed(c *conn) (bool, error) {
	return c.one(`SELECT 1 FROM nodes UNION ALL SELECT 1 FROM tombstones LIMIT 1`, func(*row) {})
}

// lostInputKey is store.Damaged where the key is gone or cannot be read that something was hashed with.
func lostInputKey(c *conn) error {
	state, err := setting(c, settingInputKey, func(*row) {})
	if err != nil || state == settingThere {
		return err
	}
	hashed, err := anyHashed(c)
	if err != nil || !hashed {
		return err
	}
	cause := errors.New("it is gone")
	if state == settingUnreadable {
		cause = errors.New("its value is none")
	}
	return &store.Damaged{Kind: store.KindSetting, Key: settingInputKey, Cause: cause}
}

// makeInputKey makes a key in the place of one that is gone or cannot be read.
func makeInputKey(c *conn) error {
	key, err := inputKey(c)
	if err != nil || key != nil { // made meanwhile
		return err
	}
	return setSetting(c, settingInputKey, store.NewInputKey())
}
