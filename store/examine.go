package store

import "context"

// Finding is what came of examining one part of a backend.
type Finding struct {
	// Tenant is whose data the part is, "" where it is the whole backend's.
	Tenant string `json:"tenant,omitempty"`
	// Part names what was examined, and Found what is there, for people ("word index"; "200 records, 3022 words").
	Part  string `json:"part"`
	Found string `json:"found"`
	// Fault is what is wrong with it, "" where nothing is. Remedy then says what to do, in whole sentences.
	Fault  string `json:"fault,omitempty"`
	Remedy string `json:"remedy,omitempty"`
	// Unreadable are the ids of the records that cannot be read, as Discard takes them.
	Unreadable []string `json:"unreadable,omitempty"`
}

// RemedyRebuild is the remedy for what follows from records.
const RemedyRebuild = "Make it anew of the records: mneme rebuild"

// Examiner looks for faults that the store itself does not make: damaged files, changes by other programs, a
// schema of which parts are missing.
type Examiner interface {
	// Examine reads all there is, of all tenants, and so may take long; it changes nothing. What is whole has a Finding
	// too. What cannot be read is a fault that is found; the error is for a backend that cannot be examined at all.
	Examine(ctx context.Context) ([]Finding, error)
	// ExamineTenant is Examine for whoever may know of one tenant only: no finding tells of another, of the whole backend,
	// or counts what is not this tenant's. What of a tenant is nowhere kept yet has no findings.
	ExamineTenant(ctx context.Context, id string) ([]Finding, error)
}

// Rebuilder puts right what an Examiner finds in a tenant.
type Rebuilder interface {
	// Rebuild makes anew what follows from the tenant's records: indexes of the database, what links and records repeat
	// of one another, links to what was waited for, counts, aggregates, sums of profiles, words and vectors. The records
	// stay as they are, those that cannot be read too. Others read and write meanwhile. It goes in parts, each a
	// transaction; broken off, a second call finishes. It tells how far it is; nil for nobody.
	Rebuild(ctx context.Context, tell func(RebuildStep)) error
	// Discard deletes what is left of those of some ids that cannot be read, as Finding.Unreadable names them, with what
	// only they own, and says how many it deleted. Of an agent, a memoir and a run, to which others belong, the name and
	// the times are written anew; for a lost input key another is made. No tombstone stays: a backup may bring it back.
	Discard(ctx context.Context, ids []string) (int, error)
}

// RebuildStep is how far a Rebuild is: what it makes, and of how many records it did so far.
type RebuildStep struct {
	Part string
	Done int
}
