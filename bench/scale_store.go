package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"mneme/service"
	"mneme/store"
	"mneme/store/storetest"
)

// scaled is a store with a crowd of episodes.
type scaled struct {
	title   string // the store's name
	dir     string // what is kept of it
	size    int
	backend store.Backend
	svc     *service.Service
	tenant  *service.Tenant // the usual one
	server  []string        // the environment in which mneme serves it
	raw     func(ctx context.Context, tenant string) (rawQueries, error)
	stored  func(ctx context.Context) (int64, error) // bytes on disk
	stop    func(ctx context.Context) error
	forget  func(ctx context.Context) error // has the database forget the plans of statements; nil where it keeps none
	firsts  *firsts                         // what statements take, where plans can be forgotten
	busy    func() time.Duration            // processor time so far, of the database too
	// maxOfRaw is how many times what the store itself takes a recall may.
	maxOfRaw float64
}

// rawQueries asks the store itself for what a recall is compared with.
type rawQueries interface {
	// byWords asks the full-text index for the best 100 passages that have any of the stems.
	byWords(ctx context.Context, stems []string) error
	close(ctx context.Context) error
}

// scaleStores open the stores on a directory.
var scaleStores = map[string]func(ctx context.Context, dir string, keep bool) (*scaled, error){
	"sqlite": scaledSQLite,
	"neo4j":  scaledNeo4j,
}

func openScaled(ctx context.Context, p scalePlan, dir string, size int) (*scaled, error) {
	s, err := scaleStores[p.store](ctx, dir, p.keep != "")
	if err != nil {
		return nil, err
	}
	s.dir, s.size = dir, size
	s.svc = service.New(s.backend, service.WithClock(func() time.Time { return storetest.CrowdNow }),
		service.WithLogger(slog.New(slog.DiscardHandler)))
	s.tenant, err = s.svc.Tenant(ctx)
	return s, err
}

func (s *scaled) close(ctx context.Context) error {
	return errors.Join(s.svc.Close(ctx), s.backend.Close(ctx), s.stop(ctx))
}

// crowd is episodes of ten passages each.
func (s *scaled) crowd() storetest.Crowd { return storetest.Crowd{Size: s.size, Steps: 4} }

// loaded is what is noted of a crowd when it is recorded.
type loaded struct {
	Seconds float64
	Bytes   int64
}

func (s *scaled) notePath() string { return filepath.Join(s.dir, "loaded.json") }

// loadCrowd makes sure that the crowd is there, and notes what it took.
func (s *scaled) loadCrowd(ctx context.Context) error {
	took, err := s.recorded(ctx, service.DefaultTenant, s.crowd())
	if err != nil || took == 0 {
		return err
	}
	bytes, err := s.stored(ctx)
	if err != nil {
		return err
	}
	note, err := json.Marshal(loaded{Seconds: took.Seconds(), Bytes: bytes})
	if err != nil {
		return err
	}
	return os.WriteFile(s.notePath(), note, 0o600)
}

// noted reads what was noted of the crowd.
func (s *scaled) noted() (found loaded, err error) {
	text, err := os.ReadFile(s.notePath())
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	return found, err
}

// recorded makes sure that a crowd is in a tenant, and says how long that took; 0 where it was there.
func (s *scaled) recorded(ctx context.Context, id string, crowd storetest.Crowd) (time.Duration, error) {
	tenant, err := s.backend.Tenant(ctx, id)
	if err != nil {
		return 0, err
	}
	last, err := tenant.Episodes(ctx, store.EpisodesByKey{Keys: []string{crowd.Key(crowd.Size - 1), crowd.Key(crowd.Size)}})
	switch {
	case err != nil:
		return 0, err
	case last[1] != nil:
		return 0, fmt.Errorf("the tenant %s was kept with more than %d episodes: give -sizes and -vectors as when it was recorded", id, crowd.Size)
	case last[0] != nil:
		return 0, nil
	}
	began := time.Now()
	err = crowd.Record(ctx, tenant, func(done int) {
		if done%10_000 == 0 {
			progress("recorded %d of %d episodes after %s", done, crowd.Size, time.Since(began).Round(time.Second))
		}
	})
	return time.Since(began), err
}

// sizeOf adds up the files below a directory.
func sizeOf(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	return bytes, err
}
