package main

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/service"
	"mneme/store"
)

// meaningCost is what a batch may take more with vectors of what records mean than without.
type meaningCost struct {
	words   int     // of each record
	allowed float64 // of the time without
}

var meaningCosts = []meaningCost{{words: 30, allowed: 1.15}, {words: 300, allowed: 1.30}}

// measureMeaning compares batches of observations with and without vectors of what they mean, pair by pair, and bare
// transactions that insert what these ended with.
func (p writePlan) measureMeaning(ctx context.Context, g target) (string, error) {
	prose, err := wordsOfDocs("docs")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	text.WriteString("| batches of observations | records/s | without | time of that without | lower–upper quartile | bare | allowed |\n|---|---|---|---|---|---|---|\n")
	for _, cost := range meaningCosts {
		var with, without, ratios, bare []float64
		for pair := range p.pairs {
			records := saying(prose, p.turns, cost.words, pair)
			seconds, bareSeconds := map[bool]float64{}, map[bool]float64{}
			for _, off := range []bool{pair%2 == 0, pair%2 != 0} { // who comes first takes turns too
				took, bareTook, err := p.observe(ctx, g, records, off)
				if err != nil {
					return "", err
				}
				seconds[off], bareSeconds[off] = took.Seconds(), bareTook.Seconds()
			}
			with, without = append(with, float64(p.turns)/seconds[false]), append(without, float64(p.turns)/seconds[true])
			ratios, bare = append(ratios, seconds[false]/seconds[true]), append(bare, bareSeconds[false]/bareSeconds[true])
			progress("observations of %d words, pair %d of %d: %.0f records/s, without vectors %.0f; %.2f times the time, bare %.2f",
				cost.words, pair+1, p.pairs, with[pair], without[pair], ratios[pair], bare[pair])
		}
		for _, values := range [][]float64{with, without, ratios, bare} {
			slices.Sort(values)
		}
		middle := p.pairs / 2
		fmt.Fprintf(&text, "| of %d words | %.0f | %.0f | %.2f | %.2f–%.2f | %.2f | %.2f |\n",
			cost.words, with[middle], without[middle], ratios[middle], ratios[p.pairs/4], ratios[p.pairs*3/4], bare[middle], cost.allowed)
	}
	return text.String(), nil
}

// observe writes records in batches into a fresh place, and says how long that and bare transactions took.
func (p writePlan) observe(ctx context.Context, g target, records []store.ObservationRecord, withoutVectors bool) (took, bareTook time.Duration, err error) {
	at, err := g.fresh(ctx, withoutVectors)
	if err != nil {
		return 0, 0, err
	}
	var bare bareCopy
	err = at.with(ctx, func(ctx context.Context, _ *service.Tenant, t store.Store) error {
		took, _, err = timedAndSpent(func() error {
			for batch := range slices.Chunk(records, p.batch) {
				if err := taken(store.Record(ctx, t, batch)); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			bare, err = g.copyOf(ctx, at)
		}
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	bareTook, _, err = bare.write(ctx, (len(records)+p.batch-1)/p.batch, 1)
	return took, bareTook, err
}

// saying are observations of so many consecutive words each, others in each pair.
func saying(prose []string, records, words, pair int) []store.ObservationRecord {
	random := rand.New(rand.NewPCG(uint64(pair), uint64(words))) //nolint:gosec // the same each time
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	all := make([]store.ObservationRecord, records)
	for i := range all {
		key, from := fmt.Sprintf("turn-%06d", i), random.IntN(len(prose)-words)
		session := fmt.Sprintf("session %d", i/50)
		all[i] = store.ObservationRecord{InputHash: []byte(key), Observation: memory.Observation{
			Key: key, SessionKey: &session, Content: strings.Join(prose[from:from+words], " "), Importance: memory.ImportanceMedium,
			About: []string{}, Receipt: memory.Receipt{Redactions: []memory.Redaction{}}, CreatedAt: began.Add(time.Duration(i) * time.Minute),
		}}
	}
	return all
}

// wordsOfDocs are all words of the documentation, which is prose of people.
func wordsOfDocs(dir string) (words []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // of this project
		words = append(words, strings.Fields(string(text))...)
		return err
	})
	return words, err
}
