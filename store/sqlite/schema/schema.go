package schema

import (
	_ "embed"
	"strings"

	"mneme/memory"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
)

// Version is that of the schema, which a file keeps as its user_version. A change of the schema, of how words are analysed
// or of the table of meanings needs another, and from the first release on a step to it.
const Version = 7

//go:embed schema.sql
var script string

// Script makes the schema.
func Script() string { return tables.Replace(script) }

// applicationID marks a file as mneme's ("mnem").
const applicationID = 0x6d6e656d

// tables are the columns of records.
var tables = strings.NewReplacer(
	"{agent}", db.Definitions(fields.Agent(&memory.Agent{})),
	"{episode}", db.Definitions(fields.Episode(&memory.Episode{}), fields.Ending(&memory.Episode{})),
	"{contents}", db.Definitions(fields.Contents(&memory.Episode{})),
	"{event}", db.Definitions(fields.Event(&memory.Event{})),
	"{canvas}", db.Definitions(fields.Canvas(&memory.Canvas{})),
	"{canvasAction}", db.Definitions(fields.CanvasAction(&memory.CanvasAction{})),
	"{feedback}", db.Definitions(fields.Feedback(&memory.Feedback{})),
	"{memoir}", db.Definitions(fields.Memoir(&memory.Memoir{})),
	"{concept}", db.Definitions(fields.Concept(&memory.Concept{}), fields.ConceptContent(&memory.Concept{})),
	"{observation}", db.Definitions(fields.Observation(&memory.Observation{}), fields.ObservationUse(&memory.Observation{})),
	"{correction}", db.Definitions(fields.Correction(&memory.Correction{})),
	"{run}", db.Definitions(fields.Run(&memory.Run{})),
	"{judgement}", db.Definitions(fields.Judgement(&memory.Judgement{}), fields.JudgementLabel(&memory.Judgement{})),
	"{verdict}", db.Definitions(fields.Verdict(&memory.Verdict{})),
	"{judgeThreshold}", db.Definitions(fields.JudgeThreshold(&memory.JudgeThreshold{})),
	"{pattern}", db.Definitions(fields.Pattern(&memory.Pattern{}), fields.PatternGains(&memory.Pattern{})),
	"{execution}", db.Definitions(fields.Execution(&memory.Execution{})),
	"{profile}", db.Definitions(fields.Profile(&memory.LearningProfile{}), fields.ProfileWindow(&memory.LearningProfile{})),
)

var own = db.Schema{Application: applicationID, Version: Version, Script: Script(), Steps: map[int]string{}}

// Make gives an empty file the schema; see db.Schema.
func Make(c *db.Conn) error { return own.Make(c) }

// Check refuses what Make does not make ready; see db.Schema.
func Check(c *db.Conn) error { return own.Check(c) }

// IsMade says whether a file has the schema; see db.Schema.
func IsMade(c *db.Conn) (bool, error) { return own.IsMade(c) }

// VersionOf is the version of a file's schema, 0 where nothing was written yet.
func VersionOf(c *db.Conn) (version int, err error) {
	_, err = c.One(`PRAGMA user_version`, func(r *db.Row) { version = r.Int() })
	return version, err
}
