// Package store is the storage contract of mneme: role interfaces over the types of package memory, the errors they
// return and the positions from which they page. Every backend implements all of it and passes the suite in storetest.
//
// What holds for every method:
//
//   - A Store is bound to one tenant; nothing it returns or changes belongs to another.
//   - A write method is one atomic, durable transaction, aggregates included: when it returns, the
//     write survives a crash, and every read that starts later sees it, under any concurrency; only by its
//     meaning another server may find it up to a second later (see Passages). A write
//     that returns an error has changed nothing.
//   - Times are UTC with millisecond precision; callers pass them so, and get them back so.
//   - A nil pointer is null and an empty string is an empty string; both come back as they were given.
//     Lists come back non-nil.
//   - Keys compare byte by byte. Ties in any order are broken by key, ascending, unless said otherwise.
//   - Errors are ErrNotFound, ErrConflict and so on (see errors.go), matched with errors.Is; anything
//     else is a fault of the backend. A canceled context ends a call with the context's error.
package store

import (
	"context"
	"crypto/rand"
	"time"

	"mneme/memory"
	"mneme/memory/access"
)

// Backend is an opened database that holds any number of tenants.
type Backend interface {
	// Tenant binds a tenant, which comes into being with its first write. The id is 1–64 characters of
	// a–z, 0–9, '-' and '_', starting with a letter or digit; another is ErrInvalid. The Store is valid
	// until Close and safe for concurrent use.
	Tenant(ctx context.Context, id string) (Store, error)
	// Has says whether a tenant has come into being.
	Has(ctx context.Context, id string) (bool, error)
	// Tenants lists those that have come into being, by id.
	Tenants(ctx context.Context) ([]string, error)
	// Due lists the tenants, by id, in which something waits for a server: spans that are held, a file that is to
	// be vacuumed, or vectors that are due (see Store.Reindex). A tenant that cannot be asked is not among them.
	Due(ctx context.Context) ([]string, error)
	// Pool says how much is read now, of all tenants whose files are open.
	Pool() Pool
	// Check answers nil where the database can be read and written now, else ErrUnavailable.
	Check(ctx context.Context) error
	Examiner
	Keys
	// Describe names the kind of the store and where its data is, for people ("sqlite in /data").
	Describe() string
	// Close finishes what is acknowledged and closes the database. A second call does nothing.
	Close(ctx context.Context) error
}

// TenantID is what the id of a tenant is like.
var TenantID = access.TenantID

// InputKeyBytes is the length of a tenant's input key.
const InputKeyBytes = 32

// NewInputKey makes an input key.
func NewInputKey() []byte {
	key := make([]byte, InputKeyBytes)
	_, _ = rand.Read(key) // never fails
	return key
}

// LongestVector is the most numbers of an embedding that every store can index.
const LongestVector = 4096

// Store is one tenant's memory.
type Store interface {
	Records
	EpisodeWriter
	EpisodeReader
	Passages
	ConceptWriter
	ConceptLinks
	Annotations
	Traverser
	SpanStore
	Transfer
	Eraser
	Rebuilder
	NoticeReader
	AlertKeeper
	// InputKey is the tenant's secret for hashing inputs, InputKeyBytes at random, made once for every process and caller.
	// It is *Damaged, of KindSetting, where it is lost or unreadable and the tenant has records or tombstones, hashed with
	// it: another must not take its place unnoticed. Callers ask before they write the first.
	InputKey(ctx context.Context) ([]byte, error)
	// Names returns the distinct names of a kind, in the order of their bytes.
	Names(ctx context.Context, of NamesOf) ([]string, error)
	// CompleteRun sets CompletedAt and adds judging.LearnFrom(memory.SectionsOf(its judgements), Texts) to
	// history, both once: completed again, also at the same time, it changes nothing. A verdict is either
	// folded in or recorded after the completion. ErrNotFound where there is no such run.
	//
	// A pattern that is new is created with the gained values, one that is there takes them in as memory.Pattern.Add does,
	// and is linked LEARNED_FROM the gain's sections. How many sections of each type and part of a context were folded in
	// is kept, as a SectionTypeItem; it is the Total of all issues there, of those that this run did not have too. ABOUT
	// links that have been waiting for a pattern are made.
	CompleteRun(ctx context.Context, completion RunCompletion) (CompletedRun, error)
	// Reindex makes the vectors that are due, those of an endpoint unless that is nil, and says of how many records. It
	// goes in parts, each a transaction, so that others read and write meanwhile, and what was done is not done again
	// after a break. It tells how far it is after each; nil for nobody. Without vectors it does nothing.
	//
	// Built-in vectors, if on, are made as passages are written, those of an endpoint later. They follow from records, so
	// an export leaves them out. Passages without one of the right length are due.
	Reindex(ctx context.Context, endpoint *Embedder, tell func(ReindexStep)) (made int, err error)
	// Backlog counts what waits, in one round trip at most. It is no use of the tenant: where a file is not open, which
	// it is not as long as nothing is done in it, nothing waits.
	Backlog(ctx context.Context) (Backlog, error)
}

// Recorded is what became of one item of a batch. Items are applied in order, each sees those before
// it, and a failed item changes nothing and does not keep the others from being applied.
type Recorded struct {
	Key string
	// Created is false where the same content was there already.
	Created bool
	// Err is nil, or ErrConflict where the key is taken by other content, or another of this package's
	// errors; the faults of the backend itself fail the whole batch instead.
	Err error
}

// EpisodeRecord is an episode to be written. Episode's aggregates and Context are ignored.
//
// Record writes episodes with their agent, session, causes and log, and links what has been waiting for them:
//   - canvases and feedback that named the episode's key, and feedback that named one of its
//     ExecutionIDs (feedback on a canvas that gets its episode here gets it too, if it has none);
//   - episodes that named it as their cause, or as what informed them;
//   - canvases and feedback of its session that name no episode, where linking.Pick gives them to another episode
//     than they have now that this one is there: what waited, at most linking.Reach older than StartedAt, and what
//     had another episode. In whatever order such records and episodes arrive, the links are the same at the end.
//
// An episode that is an execution is counted in its agent's profile (see ExecutionRecord).
// An item's Err may be ErrConflict (key taken by other content) or ErrVectorLength.
type EpisodeRecord struct {
	memory.Episode
	// AgentName renames the agent; nil leaves the name, which is the agent's key from the start.
	AgentName *string `json:"-"`
	// CausedBy are the keys of the episodes that caused it. Those unknown so far are linked when they come.
	CausedBy []string `json:"causedBy,omitempty"`
	// InformedBy are the keys of the episodes that its agent went by. Those unknown so far are linked when they come.
	InformedBy []string `json:"informedBy,omitempty"`
	// Mentions are the keys of the concepts it mentions. Those unknown so far are linked when they come.
	Mentions []string `json:"mentions,omitempty"`
	// Events is the run's log, in order; nil where there is none.
	Events []memory.Event `json:"events,omitempty"`
	// InputHash identifies the content: a record with the same key and hash is the same record.
	InputHash []byte `json:"inputHash,omitempty"`
	// ByUserKey says that it comes by a key of its user alone: of what waits it takes nothing that is nobody's.
	ByUserKey bool `json:"-"`
}

// EpisodeConclusion is the end of an episode recorded before its outcome was known.
type EpisodeConclusion struct {
	Key     string
	Outcome memory.Outcome
	Result  *string    // nil leaves what was recorded
	Insight *string    // nil leaves what was recorded
	Quality *float64   // nil leaves what was recorded
	Cost    *float64   // nil leaves what was recorded
	EndedAt *time.Time // nil leaves what was recorded
	// Segments replaces the recorded ones; nil leaves them.
	Segments []memory.Segment
	// Embedding replaces the recorded one; nil leaves it.
	Embedding []float32
	// Receipt is of what is new; it is added to the recorded one.
	Receipt memory.Receipt
	// Was is the recorded one as the caller saw it: it changes with all that is said of the episode.
	Was memory.Receipt
}

// Ending is the ending that the conclusion gives, with nil for what it leaves.
func (c *EpisodeConclusion) Ending() *memory.Episode {
	return &memory.Episode{Outcome: c.Outcome, Concluded: true, EndedAt: c.EndedAt, Quality: c.Quality, Cost: c.Cost}
}

// Backfilled counts what a backfill linked and the episodes that got something.
type Backfilled struct{ Canvases, Feedback, Episodes int }

// EpisodeWriter records episodes.
type EpisodeWriter interface {
	// ConcludeEpisode sets the outcome of an episode that is not Concluded, once. It returns ErrNotFound where there is no
	// such episode, ErrConflict where it is Concluded already (also with the same conclusion) or has counted other tokens
	// than Was, because somebody added to it meanwhile, ErrVectorLength as in EpisodeRecord, and ErrInvalid where EndedAt
	// would be before StartedAt. An episode that becomes an execution by it is counted in its agent's profile. With an
	// EndedAt, what of its session linking.Pick gives to another episode than before moves.
	ConcludeEpisode(ctx context.Context, conclusion EpisodeConclusion) error
	// AppendEvents adds to the log of an episode that was recorded without one the events of a part whose numbers are not
	// there, and their receipts to its own, and says how much there is then. All of the part is added or nothing. Parts
	// come in any order; with numbers that are missing the log is not Whole. It returns ErrNotFound where there is no such
	// episode, ErrConflict where it has another InputHash, ErrLogEnded where it is concluded and an event is new,
	// ErrInvalid with the field where the log would begin before a cause of the episode, EventConflict where an event's
	// number has another, and LogTooLong beyond MaxLogEvents or MaxLogBytes. Its cost does not grow with the log.
	AppendEvents(ctx context.Context, part LogPart) (Log, error)
	// AmendEpisode replaces what an episode says. It returns ErrNotFound where there is no such episode, ErrConflict where
	// it has another hash than WasHash, is Concluded other than WasConcluded, or has a log of another length than Logged,
	// because somebody changed it meanwhile, ErrVectorLength as in EpisodeRecord, and ErrInvalid where EndedAt would be
	// before StartedAt. What of its session linking.Pick gives to another episode as its start or its end changes moves.
	AmendEpisode(ctx context.Context, amendment EpisodeAmendment) error
	// Backfill links canvases and feedback that have a session and no episode, and name none, to an
	// episode of that session by linking.PickLate. A canvas's time is its first action's. A nil session means all of them.
	Backfill(ctx context.Context, session *string) (Backfilled, error)
}

// Parts says what to read along with episodes, as bits, so that one query fetches it all.
type Parts uint8

// The parts of an episode that a read can bring along in Episode.Context.
const (
	WithAgent Parts = 1 << iota
	WithCanvases
	WithFeedback
	// HeadOnly leaves out what an episode says, but for its title.
	HeadOnly
	// Brief leaves out its lists and metadata, and what its texts say beyond BriefText characters. For Episodes alone.
	Brief
)

// BriefText is how many characters of a text a brief episode has.
const BriefText = 4096

// Context are the parts that come along in Episode.Context.
const Context = WithAgent | WithCanvases | WithFeedback

// Has says whether all of the given parts are asked for.
func (p Parts) Has(part Parts) bool { return p&part == part }

// UserFilter keeps what is of a user and, where it is Shared, what is of nobody; without a user it keeps all.
type UserFilter struct {
	User   *string
	Shared bool
}

// KeepsNobodys says whether it keeps what is of nobody.
func (f UserFilter) KeepsNobodys() bool { return f.User == nil || f.Shared }

// EpisodeFilter keeps the episodes that meet every set condition.
type EpisodeFilter struct {
	Agent, Session, TaskType *string
	UserFilter
	Outcome *memory.Outcome
	// OutcomeKnown leaves out the episodes whose outcome is unknown.
	OutcomeKnown bool
	// CanvasType and CanvasAction, where both are set, must be met by one and the same canvas.
	CanvasType   *string
	CanvasAction *memory.CanvasActionKind
	// MinFeedback and MaxFeedback bound the aggregate score, inclusive; an episode without feedback fails both.
	MinFeedback, MaxFeedback *float64
	Since                    *time.Time // StartedAt ≥ Since
	Until                    *time.Time // StartedAt < Until
}

// Position is where a page ended: the sort values of its last record, and its key.
type Position struct {
	At    time.Time // for orders by time, and the second sort value of memory.BestFeedbackFirst
	Value *float64  // for orders by a number; nil is null and sorts last
	Key   string
	// Sequence is for logs.
	Sequence int
}

// Page asks for at most Limit records after a position; nil starts at the first.
type Page struct {
	After *Position
	Limit int
}

// EpisodeQuery lists episodes.
type EpisodeQuery struct {
	Filter EpisodeFilter
	Order  memory.EpisodeOrder
	Parts  Parts
}

// Place is by StartedAt and key, or by the aggregate score, StartedAt and key.
func (q EpisodeQuery) Place(e *memory.Episode) Position {
	p := Position{At: e.StartedAt, Key: e.Key}
	if q.Order == memory.BestFeedbackFirst {
		p.Value = e.AggregateFeedbackScore()
	}
	return p
}

// EpisodesByKey reads known episodes.
type EpisodesByKey struct {
	Keys  []string
	Parts Parts
	// AsOf, where set, answers as of that instant: episodes not known then are missing, aggregates
	// and contexts hold only what was known then (canvas actions and feedback at or before it).
	AsOf *time.Time
}

// EpisodeReader reads episodes. Embeddings are not read.
type EpisodeReader interface {
	// Episodes returns the episodes in the order of the keys, nil where there is none. One round trip.
	Episodes(ctx context.Context, query EpisodesByKey) ([]*memory.Episode, error)
	// Linked returns the episodes that each of the given ones has the relation to, by key: a page each of causes and
	// effects, by key; at most one for previous and next, which follow the session's order by (StartedAt, key). Of an
	// episode that many are linked to, no more are read than the page holds. One round trip.
	Linked(ctx context.Context, query LinkedQuery) (map[string]LinkedPage, error)
	// AwaitedEpisodes returns by key the episodes that canvases or feedback, as the kind says, name and wait for; of those
	// that wait for none there is nothing. One round trip.
	AwaitedEpisodes(ctx context.Context, kind memory.Kind, keys []string) (map[string]string, error)
	// CountLinked counts for each of the given episodes what Linked would list without its page, by key;
	// those that have none may be missing. Of causes and effects only. One round trip.
	CountLinked(ctx context.Context, query LinkedQuery) (map[string]int, error)
	// VectorLength is the length of the tenant's embeddings, 0 where there was none so far. The first
	// fixes it for good, also after the last is deleted.
	VectorLength(ctx context.Context) (int, error)
}

// EventsOf lists the log of an episode, in order. An unknown episode has none; a place before the first or after the
// last is no error.
type EventsOf struct{ Episode string }

// Place is by Sequence.
func (EventsOf) Place(e *memory.Event) Position { return Position{Sequence: e.Sequence} }

// LinkedQuery reads the episodes that others are linked to.
type LinkedQuery struct {
	Episodes []string
	Link     memory.EpisodeLink
	// Page is of each of the episodes. It has no meaning for previous and next.
	Page Page
	// AsOf, where set, answers as of that instant, as in EpisodesByKey: links are between episodes known
	// then, previous and next among those of the session known then.
	AsOf *time.Time
	// HeadOnly leaves out what the episodes say, but for their titles.
	HeadOnly bool
	UserFilter
}

// LinkedPage is a page of what an episode is linked to, and whether more follow it.
type LinkedPage struct {
	Episodes []*memory.Episode
	More     bool
}

// CanvasActionRecord is one action on a canvas to be written. The canvas comes into being with its first action.
//
// Record adds actions to canvases. A canvas is linked to the episode it first names (waiting for it where it is
// unknown), else to one of its session by linking.Pick, else it waits. A canvas that is linked by its session only is
// moved when a later action names the episode, or dates it back; its feedback follows it. Recorded.Key is the canvas's.
// An item's Err is ErrConflict where the canvas has another CanvasType, another ComponentType or names another episode
// or session, or where the canvas's action of that ID has another InputHash.
type CanvasActionRecord struct {
	Canvas        string
	Episode       *string // the key it names, which may not be known yet
	Session       *string
	User          *string
	CanvasType    string
	ComponentType *string // nil leaves what the canvas has
	Action        memory.CanvasAction
	InputHash     []byte // compared where Action.ID is set
	ByUserKey     bool   // as of EpisodeRecord; nor is it of a canvas that is not its user's
}

// CanvasesOf lists canvases by (CreatedAt, key), newest first: of the one owner that is set, or if none, of the tenant.
type CanvasesOf struct {
	Episode *string
	Agent   *string    // of all the agent's episodes
	Since   *time.Time // CreatedAt ≥ Since
	// Waiting, without an owner, keeps those that have no episode, or those that have one; nil keeps both.
	Waiting *bool
	// UserFilter is applied to whose the canvas is, or where nobody said, its episode; one that waits for that is not
	// nobody's. So it is with feedback.
	UserFilter
}

// Place is by CreatedAt and key.
func (CanvasesOf) Place(c *memory.Canvas) Position { return Position{At: c.CreatedAt(), Key: c.Key} }

// FeedbackRecord is a feedback to be written. Its EpisodeKey, CanvasKey, SessionKey and
// AgentExecutionID are those the caller named; at least one is set, unless it Replaces another.
//
// Record writes feedback and links it to its episode: the one it names by key, else the one
// that lists its AgentExecutionID (of several the one that started first), else its canvas's, else
// one of its session by linking.Pick. Only the first of these that
// it names counts; where that is not known yet (for the canvas: has no episode yet) the feedback
// waits for it. Feedback that found its episode by an execution stays there, also when one that
// started earlier comes to list it. The episode's aggregate is right in the same transaction.
// What Replaces another is completed by linking.Replace; the other then counts, and is found by its words, until the
// new one's CreatedAt only. An item's Err may be ErrConflict (key taken by other content) or that of linking.Replace.
type FeedbackRecord struct {
	memory.Feedback
	InputHash []byte `json:"inputHash,omitempty"`
	// ByAdmin lets it replace what another person said. No export says so.
	ByAdmin bool `json:"-"`
	// ByUserKey, as of EpisodeRecord, lets it replace nothing but what was said for its user.
	ByUserKey bool `json:"-"`
}

// FeedbackOf lists feedback by (CreatedAt, key), newest first: of the one owner that is set, or if none, of the tenant.
// Replaced feedback is left out, unless it was replaced later than AsOf; where the list begins is for the page to say.
type FeedbackOf struct {
	AsOf     *time.Time
	Episode  *string
	Canvases []string // on any of these canvases; an empty list, other than nil, has none
	Waiting  *bool    // as in CanvasesOf
	UserFilter
}

// Place is by CreatedAt and key.
func (FeedbackOf) Place(f *memory.Feedback) Position { return Position{At: f.CreatedAt, Key: f.Key} }

// TaskTypesOf lists the task types of agents' episodes and executions, whole and by agent. It is not counted.
type TaskTypesOf struct{ Agents []string }

// AgentTaskTypes are the distinct task types of an agent that has any, sorted.
type AgentTaskTypes struct {
	Agent string
	Types []string
}

// Place is by agent.
func (TaskTypesOf) Place(t *AgentTaskTypes) Position { return Position{Key: t.Agent} }

// AllAgents lists the agents by key.
type AllAgents struct{}

// Place is by key.
func (AllAgents) Place(a *memory.Agent) Position { return Position{Key: a.Key} }

// InOrder puts records in the order of the keys asked for, nil where there is none.
func InOrder[T any](keys []string, found []*T, key func(*T) string) []*T {
	if len(keys) == 1 {
		return append(found, nil)[:1]
	}
	byKey := make(map[string]*T, len(found))
	for _, record := range found {
		byKey[key(record)] = record
	}
	ordered := make([]*T, len(keys))
	for i := range keys {
		ordered[i] = byKey[keys[i]]
	}
	return ordered
}
