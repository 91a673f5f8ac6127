package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scalePlan is what a run over sizes does.
type scalePlan struct {
	store    string
	sizes    []int
	parts    []scalePart
	rounds   int
	links    int
	duration time.Duration
	warmUp   time.Duration
	keep     string
	results  string
}

// scalePart is a part of what is measured: it answers the text of its section.
type scalePart struct {
	name    string
	heading string
	of      func(ctx context.Context, p scalePlan, s *scaled) (string, error)
}

// scaleParts are all parts, in the order in which they are measured: the last write.
var scaleParts = []scalePart{
	{"cost", "size, start and memory", measureCost},
	{"recall", "recall by words", measureRecall},
	{"firsts", "first use of statements", measureFirsts},
	{"reads", "other reads", measureReads},
	{"mixed", "mixed load", measureMixed},
}

func scaleFlags(args []string) (scalePlan, error) {
	var p scalePlan
	flags := flag.NewFlagSet("scale", flag.ExitOnError)
	flags.StringVar(&p.store, "store", "sqlite", "sqlite or neo4j; of Neo4j the run starts its own, by Docker or Java")
	sizes := flags.String("sizes", "20000,100000", "numbers of episodes, separated by commas")
	parts := flags.String("parts", "cost,recall,firsts,reads,mixed", "what to measure, separated by commas")
	flags.IntVar(&p.rounds, "rounds", 60, "recalls of each kind; each takes turns with the store's own query")
	flags.IntVar(&p.links, "links", 100_000, "links of the graph of concepts for reads; a tenth of them are of one concept")
	flags.DurationVar(&p.duration, "duration", 5*time.Minute, "how long mixed takes")
	flags.DurationVar(&p.warmUp, "warm-up", 30*time.Second, "how long all that a part measures is asked for before, for compilers to settle")
	flags.StringVar(&p.keep, "keep", "", "a directory in which what is recorded stays for the next run; a temporary one where it is empty")
	flags.StringVar(&p.results, "results", "bench/SCALE.md", "the file in which the sections of what was measured are written anew")
	_ = flags.Parse(args) // ExitOnError
	for text := range strings.SplitSeq(*sizes, ",") {
		size, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || size < 1000 {
			return p, fmt.Errorf("%q is no number of episodes from 1000 on", text)
		}
		p.sizes = append(p.sizes, size)
	}
	wanted := strings.Split(*parts, ",")
	for _, part := range scaleParts {
		if at := slices.Index(wanted, part.name); at >= 0 {
			p.parts = append(p.parts, part)
			wanted = slices.Delete(wanted, at, at+1)
		}
	}
	if len(wanted) > 0 {
		return p, fmt.Errorf("%q is nothing to measure", wanted)
	}
	if _, known := scaleStores[p.store]; !known {
		return p, fmt.Errorf("the store is %q; it must be sqlite or neo4j", p.store)
	}
	return p, nil
}

// scale measures what grows with the store, over ever more episodes, against what the store itself takes.
func scale(ctx context.Context, args []string) error {
	p, err := scaleFlags(args)
	if err != nil {
		return err
	}
	dir := p.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "mneme-scale-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	for _, size := range p.sizes {
		if err := p.measure(ctx, filepath.Join(dir, p.store+"-"+strconv.Itoa(size)), size); err != nil {
			return err
		}
	}
	return nil
}

// measure measures all parts at one size, and writes the section of each as it is known.
func (p scalePlan) measure(ctx context.Context, dir string, size int) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	s, err := openScaled(ctx, p, dir, size)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(context.WithoutCancel(ctx))) }()
	if err := s.loadCrowd(ctx); err != nil {
		return err
	}
	for _, part := range p.parts {
		progress("%s, %d episodes: %s", s.title, size, part.heading)
		text, err := part.of(ctx, p, s)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		if text == "" {
			continue // there is none of this store
		}
		fmt.Print("\n", text)
		if err := p.write(ctx, s, part, text); err != nil {
			return err
		}
	}
	return nil
}
