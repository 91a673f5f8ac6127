package store

import (
	"context"
	"fmt"
	"sync"

	"mneme/memory"
)

// Limits are what one request may take while it is answered. Zero is no limit.
type Limits struct {
	// Records is how many records may be read, each once for every time that it is read.
	Records int64
	// ReadBytes is how many bytes of texts they may have.
	ReadBytes int64
	// AnswerBytes is how long the answer may be.
	AnswerBytes int64
	// Summed is how many records may be gone through of which only sums are kept, where there are several sums.
	Summed int64
}

// Budget counts what a request reads and what it answers, at the place where it happens and before more of
// it does. Whatever a limit says, one record by itself can be read and answered: what was accepted can be
// had back. A nil budget counts nothing and never ends.
type Budget struct {
	limits Limits
	// grow asks for room for more bytes, and answers the bytes that there is room for now; see Grow.
	grow  func(bytes int64) int64
	stop  context.CancelCauseFunc
	share bool
	whole *Budget // of which it is a share

	mu    sync.Mutex
	spent Limits
	sums  int   // that were begun
	room  int64 // bytes that there is room for
	alone int64 // the answer that one record may take
	fault error
}

// ErrNoRoom ends a request that needs more memory than there is now.
var ErrNoRoom = &memory.Error{
	Code: memory.CodeUnavailable, Message: "the server is busy with large answers; try again, or ask for less at once",
}

type budgetKey struct{}

// WithBudget gives a context a budget that is counted by all that is done for it, and ends the context when it
// is used up. The returned function must be called when the request is done.
func WithBudget(ctx context.Context, limits Limits) (context.Context, *Budget, context.CancelFunc) {
	ctx, stop := context.WithCancelCause(ctx)
	b := &Budget{limits: limits, stop: stop}
	return context.WithValue(asRequest(ctx), budgetKey{}, b), b, func() { stop(context.Canceled) }
}

// WithShare gives a context a share of its budget, for a read that can be asked for less: at most half of what is left.
// Reads count for the request too, unless they come to more than the share: that ends the read alone and takes nothing.
func WithShare(ctx context.Context, bytes int64) (context.Context, *Budget, context.CancelFunc) {
	whole := BudgetOf(ctx)
	if whole != nil && whole.limits.ReadBytes > 0 {
		bytes = max(1, min(bytes, (whole.limits.ReadBytes-whole.Spent().ReadBytes)/2))
	}
	ctx, stop := context.WithCancelCause(ctx)
	b := &Budget{limits: Limits{ReadBytes: bytes}, stop: stop, share: true, whole: whole}
	return context.WithValue(ctx, budgetKey{}, b), b, func() { stop(context.Canceled) }
}

// Unmetered is a context for work that keeps nothing of what it reads, or little of each, and has bounds of its own.
// It is still the request's: its reads take turns with those of others, see Turns.
func Unmetered(ctx context.Context) context.Context {
	if BudgetOf(ctx) == nil {
		return ctx
	}
	return context.WithValue(ctx, budgetKey{}, (*Budget)(nil))
}

// BudgetOf is the context's budget, nil where it has none.
func BudgetOf(ctx context.Context) *Budget {
	b, _ := ctx.Value(budgetKey{}).(*Budget)
	return b
}

// Grow bounds the memory of the request: where it needs more bytes than there is room for, the function is
// asked for room for so many, and answers how many there is room for then. Fewer than it asked for end the
// request with ErrNoRoom. It is set before anything is read.
func (b *Budget) Grow(room int64, grow func(bytes int64) int64) {
	b.room, b.grow = room, grow
}

// beside is room for what is answered of a record by itself beside its texts: names of fields, and what is computed.
const beside = 1 << 20

// Read counts records that were read at once, by the bytes of their texts; none where it is a part of one that
// is counted already. Its error says that the request is over.
func (b *Budget) Read(records int64, texts Texts) error {
	if b == nil {
		return nil
	}
	if b.share {
		return b.readShare(records, texts)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent.Records += records
	b.spent.ReadBytes += texts.Bytes
	if b.spent.Records <= 1 {
		b.alone += texts.Answered
		return b.fits(0)
	}
	b.alone = max(b.alone, texts.Answered)
	switch {
	case over(b.spent.Records, b.limits.Records):
		return b.end(exceeded(b.limits.Records, "records", "ask for smaller pages, or fewer fields that lead to other records"))
	case over(b.spent.ReadBytes, b.limits.ReadBytes):
		return b.end(exceeded(b.limits.ReadBytes, "bytes of records", "ask for smaller pages"))
	}
	return b.fits(0)
}

// readShare counts what is read for a share, by how long it would be answered.
func (b *Budget) readShare(records int64, texts Texts) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent.AnswerBytes += texts.Answered; over(b.spent.AnswerBytes, b.limits.ReadBytes) {
		b.whole.giveBack(b.spent)
		b.spent.Records, b.spent.ReadBytes = 0, 0
		return b.end(exceeded(b.limits.ReadBytes, "bytes of records", "ask for smaller pages"))
	}
	b.spent.Records += records
	b.spent.ReadBytes += texts.Bytes
	return b.whole.Read(records, texts)
}

// giveBack takes out what a share read.
func (b *Budget) giveBack(read Limits) {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.spent.Records -= read.Records
		b.spent.ReadBytes -= read.ReadBytes
	}
}

// Reserve asks for room for so many bytes of text, about to be read and answered. Its error says the request is over.
func (b *Budget) Reserve(bytes int64) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fits(bytes + answerCopies*bytes)
}

// Sum counts what is gone through for a sum, and is not kept. Where a request asks for nothing else to be summed up,
// it is, however much that is.
type Sum struct{ budget *Budget }

// Sum begins one.
func (b *Budget) Sum() Sum {
	if b != nil && b.share {
		b = b.whole
	}
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.sums++
	}
	return Sum{b}
}

// Add counts records. Its error says that the request is over.
func (s Sum) Add(records int) error {
	b := s.budget
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent.Summed += int64(records); over(b.spent.Summed, b.limits.Summed) && b.sums > 1 {
		return b.end(exceeded(b.limits.Summed, "records for its sums", "ask for fewer sums at once, or for a shorter time"))
	}
	return nil
}

// answerCopies is how often an answer is in the memory when it is complete: in the lists that it was gathered
// in, and as a whole.
const answerCopies = 2

// Answer counts bytes that are going to be answered. Its error says that the request is over.
func (b *Budget) Answer(bytes int64) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent.AnswerBytes += bytes
	if limit := b.limits.AnswerBytes; over(b.spent.AnswerBytes, limit) && b.spent.AnswerBytes > b.alone+beside {
		return b.end(exceeded(limit, "bytes of answer", "ask for smaller pages, or for fewer fields"))
	}
	return b.fits(0)
}

// fits asks for room where there is too little for what was read and answered, and for more bytes.
func (b *Budget) fits(more int64) error {
	bytes := b.spent.ReadBytes + answerCopies*b.spent.AnswerBytes + more
	if b.grow == nil || bytes <= b.room {
		return nil
	}
	if b.fault == nil {
		b.room = b.grow(bytes)
	}
	if bytes > b.room {
		return b.end(ErrNoRoom)
	}
	return b.fault
}

func over(count, limit int64) bool { return limit > 0 && count > limit }

// end ends the request, once.
func (b *Budget) end(fault *memory.Error) error {
	if b.fault == nil {
		b.fault = fault
		b.stop(fault)
	}
	return b.fault
}

// Err says why the request is over, nil while it is not.
func (b *Budget) Err() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fault
}

// Spent is what was counted so far.
func (b *Budget) Spent() Limits {
	if b == nil {
		return Limits{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

func exceeded(limit int64, what, remedy string) *memory.Error {
	return &memory.Error{
		Code:    memory.CodeLimitExceeded,
		Message: fmt.Sprintf("the request takes more than %d %s; %s", limit, what, remedy),
	}
}

// Texts is the length of texts, as they are and as they would be answered.
type Texts struct{ Bytes, Answered int64 }

// Add counts a text.
func (t *Texts) Add(text string) {
	t.Bytes += int64(len(text))
	t.Answered += memory.AnswerLength(text)
}
