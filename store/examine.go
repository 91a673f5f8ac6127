package store

import "context"

// Finding is what came of examining one part of a backend.
type Finding struct {
	// Tenant is whose data the part is, "" where it is the whole backend's.
	Tenant string
	// Part names what was examined, and Found what is there, for people ("word index"; "200 records, 3022 words").
	Part, Found string
	// Fault is what is wrong with it, "" where nothing is. Remedy then says what to do, in whole sentences.
	Fault, Remedy string
	// Mend does what Remedy says. It loses nothing that can still be used, and is safe beside other processes.
	// It is nil where nothing is wrong, and where a person must decide.
	Mend func(ctx context.Context) error
}

// Examiner looks for faults that the store itself does not make: damaged files, changes by other programs, a
// schema of which parts are missing.
type Examiner interface {
	// Examine reads all there is, of all tenants, and so may take long; it changes nothing. What is whole has a
	// Finding too. What cannot be read is a fault that is found; the error is for a backend that cannot be
	// examined at all.
	Examine(ctx context.Context) ([]Finding, error)
	// ExamineTenant is Examine for whoever may know of one tenant only: no finding tells of another, of the whole backend, or
	// counts what is not this tenant's. What of a tenant is nowhere kept yet has no findings.
	ExamineTenant(ctx context.Context, id string) ([]Finding, error)
}
