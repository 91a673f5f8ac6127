package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"mneme/internal/inbound"
	"mneme/memory"
)

// intake takes bodies in. While they arrive, nobody waits for anybody: what there is no room for is refused, to
// be sent again. When one is here, it waits for its turn.
type intake struct {
	arriving room
	small    *semaphore.Weighted
	large    *semaphore.Weighted
}

func newIntake() *intake {
	return &intake{small: semaphore.NewWeighted(smallWork), large: semaphore.NewWeighted(largeWork)}
}

// room counts the bytes of the bodies that arrive.
type room struct {
	mu   sync.Mutex
	used int
}

// take makes room for more of a body, of which so much is here already, and says whether there was any.
func (r *room) take(more, here int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	most := arrivalRoom
	if here+more > smallBody {
		most = arrivalRoom * 3 / 4
	}
	if r.used+more > most {
		return false
	}
	r.used += more
	return true
}

func (r *room) give(back int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= back
}

// upload is a body as it was sent, in pieces.
type upload struct {
	pieces [][]byte
	packed bool
	room   *room
	taken  int
}

// The sizes of pieces: no more is set aside than a few times what came, whatever length the sender claims.
const (
	firstPiece = 4 << 10
	maxPiece   = 256 << 10
)

// arrive reads a body. The upload is to be dropped also where there is a refusal.
func (in *intake) arrive(body io.Reader, encoding string) (*upload, *refusal) {
	p := &upload{room: &in.arriving}
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
	case "gzip":
		p.packed = true
	default:
		return p, &refusal{http.StatusUnsupportedMediaType, "the body may be packed by gzip only"}
	}
	for size := firstPiece; ; size = min(2*size, maxPiece) {
		if !p.room.take(size, p.taken) {
			return p, busy()
		}
		p.taken += size
		piece := make([]byte, size)
		n, err := readInto(piece, body)
		p.pieces = append(p.pieces, piece[:n])
		switch {
		case err == io.EOF: //nolint:errorlint // which readers return as it is
			return p, nil
		case err != nil:
			return p, unreadable(err)
		}
	}
}

// timely is a body that ends with the time of its request, also where bytes still come now and then.
type timely struct {
	ctx context.Context // of the request that the body belongs to
	io.Reader
}

func (t timely) Read(into []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.Reader.Read(into)
}

// readInto is io.ReadFull, but for the end: it tells a body that ended from one that broke off.
func readInto(piece []byte, body io.Reader) (n int, err error) {
	for n < len(piece) && err == nil {
		var read int
		read, err = body.Read(piece[n:])
		n += read
	}
	return n, err
}

// drop gives the room of an upload back.
func (p *upload) drop() {
	p.room.give(p.taken)
	p.pieces, p.taken = nil, 0
}

// open reads what an upload holds, unpacked.
func (p *upload) open() (io.Reader, error) {
	readers := make([]io.Reader, len(p.pieces))
	for i, piece := range p.pieces {
		readers[i] = bytes.NewReader(piece)
	}
	all := io.MultiReader(readers...)
	if !p.packed {
		return all, nil
	}
	return gzip.NewReader(all)
}

// unpacked is how many bytes an upload holds, told without keeping them.
func (p *upload) unpacked() (int, *refusal) {
	content, err := p.open()
	if err != nil {
		return 0, unreadable(err)
	}
	n, err := io.Copy(io.Discard, io.LimitReader(content, maxBody+1))
	switch {
	case err != nil:
		return 0, unreadable(err)
	case n > maxBody:
		return 0, tooLarge()
	}
	return int(n), nil
}

// unpack is what an upload of so many bytes holds.
func (p *upload) unpack(size int) ([]byte, *refusal) {
	content, err := p.open()
	if err != nil {
		return nil, unreadable(err)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(content, body); err != nil {
		return nil, unreadable(err)
	}
	return body, nil
}

// turn waits until there is memory to decode a body of so many bytes and to keep what it says.
func (in *intake) turn(ctx context.Context, unpacked int) (done func(), ok bool) {
	queue, work := in.small, workOf(unpacked)
	if unpacked > smallBody {
		queue = in.large
	}
	if inbound.Waiting(ctx, func() error { return queue.Acquire(ctx, work) }) != nil {
		return nil, false
	}
	return func() { queue.Release(work) }, true
}

func unreadable(err error) *refusal {
	var tooLong *http.MaxBytesError
	var givenUp *memory.Error
	switch {
	case errors.As(err, &tooLong):
		return tooLarge()
	case errors.As(err, &givenUp): // by the server, which bounds the bodies of all paths together
		return &refusal{http.StatusServiceUnavailable, givenUp.Message}
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &refusal{http.StatusServiceUnavailable, "the body did not arrive within " + maxTime.String() + "; send it again"}
	}
	return &refusal{http.StatusBadRequest, "the body cannot be read"}
}

func tooLarge() *refusal {
	return &refusal{http.StatusRequestEntityTooLarge, "the body has more than " + strconv.Itoa(maxBody) + " bytes; send fewer spans at a time"}
}

func busy() *refusal {
	return &refusal{http.StatusServiceUnavailable, "too much arrives at a time; send it again"}
}
