package store

import (
	"context"
	"fmt"
)

// Compacter is a Store whose files still hold some of what was deleted until they are written anew.
type Compacter interface {
	// Compact writes the files anew, after which they hold nothing of what was deleted before, and gives back the room.
	// Others read meanwhile; whoever writes waits for it (ErrCompacting where there is no time for that), and it waits
	// for those who still read what was there before. Where it is broken off, or there is NoRoom, nothing was changed
	// and it stays due. It tells how far it is; nil for nobody.
	Compact(ctx context.Context, tell func(CompactStep)) (Compacted, error)
}

// CompactStep is how far the files are written anew.
type CompactStep struct {
	Bytes   int64 // to be written
	Written int64 // in their place; 0 while they are copied beside it
	Held    bool  // it is all written, and waits for those who still read what was there before
}

// Compacted is how long the files were and are.
type Compacted struct{ Before, After int64 }

// NoRoom is that of files for which the disk has no room to be written anew. It is ErrDiskFull.
type NoRoom struct{ Needs, Free int64 }

func (e *NoRoom) Error() string {
	return fmt.Sprintf("to compact the files takes %.1f MB beside them for a while, and the disk has %.1f MB free", float64(e.Needs)/1e6, float64(e.Free)/1e6)
}

// Unwrap says what kind of error it is.
func (*NoRoom) Unwrap() error { return ErrDiskFull }
