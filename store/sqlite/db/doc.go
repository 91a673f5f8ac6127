// Package db speaks to SQLite: connections with their compiled statements, rows that are read column by column or by
// the names of a record's columns, and what a write of many records puts off.
//
// It knows nothing of what is kept. What a row holds that mneme could not have written is an error of the row, or of
// the record that it is of, where that is known.
package db
