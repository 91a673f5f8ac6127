package store

import (
	"context"
	"errors"
	"time"

	"mneme/memory"
)

// NoticesKept is how long notices are kept at least. Older ones are trimmed as others are written.
const NoticesKept = 24 * time.Hour

// KindAlert is the kind of the notices that tell of alerts. These are no records: what they say follows from others.
const KindAlert memory.Kind = "alert"

// ErrNoticesGone is that of a number which is no place among the notices that are kept: those after it were trimmed,
// or it was never given.
var ErrNoticesGone = errors.New("the events after that cursor are not kept any more")

// Notice tells that a record was written. It says which, and nothing of what the record says.
type Notice struct {
	// Number is the notice's place. It is more than that of every notice that could be read before this one.
	Number int64
	// Kind is the record's: an episode, feedback, verdict or execution, also that which an episode is; or KindAlert.
	Kind memory.Kind
	// Key is the record's, or the digest of an alert.
	Key string
	// Heading is what subscriptions choose by.
	Heading
	// Bytes is about how long the record's texts are.
	Bytes int64
}

// Heading is what is known of the record of a notice when that is read; empty for what it has none of.
type Heading struct {
	Agent, TaskType         string // of an episode, of an execution, and Agent also of feedback's episode
	Episode                 string // of feedback
	Judge, Run, SectionType string // of a verdict
}

// NoticePage is a part of the notices, and the number that the next part comes after.
type NoticePage struct {
	Notices []Notice
	UpTo    int64
}

// NoticeReader reads what was recorded, in one order that is the same for all who ever read it. Notices are written in
// the transaction of their record, and numbered so that none appears before one that was read already, however long its
// transaction took: who reads on from where they were misses none, and gets none twice. One that was recorded after
// another was acknowledged comes after it. Those of records that are deleted are gone with them.
type NoticeReader interface {
	// Notices returns the first after a number, at most limit. It is ErrNoticesGone for a number that is not between those
	// that were trimmed and the latest.
	Notices(ctx context.Context, after int64, limit int) (NoticePage, error)
	// LatestNotice is the number of the latest of all that were committed before, 0 where there was none.
	LatestNotice(ctx context.Context) (int64, error)
	// TrimNotices forgets notices that were written before an instant, the oldest first.
	TrimNotices(ctx context.Context, before time.Time) error
}

// AlertKeeper keeps which alerts there are, by digests of what they are about, so that one which rises is told once,
// however many servers look for alerts. What they say it does not keep.
type AlertKeeper interface {
	// BeginAlerts numbers a look for alerts: what is read for it is read after looks of lower numbers began.
	BeginAlerts(ctx context.Context) (look int64, err error)
	// KeepAlerts takes the digests of all alerts that a look found, each once, instead of those that are kept. Notices of
	// KindAlert are written of the new ones, in the same transaction, in their order; those of alerts that fell are gone
	// with them. It does nothing where a look of that number or a higher one was kept, or none of that number began.
	KeepAlerts(ctx context.Context, look int64, digests []string) error
}
