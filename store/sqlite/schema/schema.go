package schema

import (
	_ "embed"
	"strings"

	"mneme/store/fields"
	"mneme/store/sqlite/db"
)

// Version is that of the schema, which a file keeps as its user_version. A change of the schema, of how words are
// analysed or of the table of meanings needs another, and from the first release on a step to it.
const Version = 11

//go:embed schema.sql
var script string

// Script makes the schema.
func Script() string {
	tables := script
	for name, list := range fields.Parts {
		tables = strings.ReplaceAll(tables, "{"+name+"}", db.Definitions(list))
	}
	return tables
}

// applicationID marks a file as mneme's ("mnem").
const applicationID = 0x6d6e656d

// Own is the schema of a tenant's file.
var Own = db.Schema{Application: applicationID, Version: Version, Script: Script(), Steps: map[int]string{}}
