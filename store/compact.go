package store

import "context"

// Compacter is a Store whose files still hold some of what was deleted until they are written anew.
type Compacter interface {
	// Compact writes the files anew, after which they hold nothing of what was deleted before, and gives back the room.
	// Others read meanwhile; whoever writes waits for it, and it waits for those who still read what was there before.
	// Where it is broken off, or finds no room on the disk, nothing was changed and it stays due.
	Compact(ctx context.Context) (Compacted, error)
}

// Compacted is how long the files were and are.
type Compacted struct{ Before, After int64 }
