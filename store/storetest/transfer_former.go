package storetest

import "mneme/store"

// ofBefore is a record of every kind that has an input.
func ofBefore() []store.Item {
	memoirs := memoirRecords([]memoirDraft{memoir("m")})
	concepts := conceptRecords([]conceptDraft{concept("c").of("m")})
	e := episodeRecords([]episodeDraft{episode("e", at(0)).by("walrus")})
	actions := actionRecords([]actionDraft{present("canvas", at(1)).of("e").id("a")})
	f := feedbackRecords([]feedbackDraft{thumbsUp("f", at(1)).on("e")})
	o := observationRecords([]observationDraft{observation("o", at(1))})
	corrections := correctionRecords([]correctionDraft{correction("x", "refunds", at(1))})
	x := executionRecords([]executionDraft{execution("x", at(1)).by("walrus")})
	v := verdictRecords([]verdictDraft{verdict("v", "r", "s", at(1))})
	return []store.Item{&memoirs[0], &concepts[0], &e[0], &actions[0], &f[0], &o[0], &corrections[0], &x[0], &v[0]}
}

// identified gives an item the hash of its input and what it formerly was.
func identified(item store.Item, hash []byte, former store.Former) {
	switch r := item.(type) {
	case *store.MemoirRecord:
		r.InputHash, r.Former = hash, former
	case *store.ConceptRecord:
		r.InputHash, r.Former = hash, former
	case *store.EpisodeRecord:
		r.InputHash, r.Former = hash, former
	case *store.CanvasActionRecord:
		r.InputHash, r.Former = hash, former
		if former.Action != "" {
			r.Action.ID = "another"
		}
	case *store.FeedbackRecord:
		r.InputHash, r.Former = hash, former
	case *store.ObservationRecord:
		r.InputHash, r.Former = hash, former
	case *store.CorrectionRecord:
		r.InputHash, r.Former = hash, former
	case *store.ExecutionRecord:
		r.InputHash, r.Former = hash, former
	case *store.VerdictRecord:
		r.InputHash, r.Former = hash, former
	}
}

func knownByFormerHashes(m *tenant) {
	old, first, later := []byte("the hash of before"), []byte("the first of all"), []byte("a hash of now")
	items := ofBefore()
	for _, item := range items {
		identified(item, old, store.Former{})
		m.True(m.restored(false, item)[0].Created, item.ID())
	}
	before := m.exported()
	for _, item := range items {
		identified(item, later, store.Former{Hashes: [][]byte{first, old}, Action: "a"})
		again := m.restored(false, item)[0]
		m.NoError(again.Err, item.ID())
		m.False(again.Created, item.ID())
	}
	m.Equal(before, m.exported(), "what is known is as it was")
	for _, item := range items {
		identified(item, later, store.Former{Hashes: [][]byte{first}, Action: "a"})
		m.ErrorIs(m.restored(false, item)[0].Err, store.ErrConflict, item.ID())
	}
}

func forgottenByFormerIDs(m *tenant) {
	_, err := m.DeletePerson(m.ctx(), "eve")
	m.NoError(err)
	former := store.Former{IDs: []string{"person:nobody", "person:eve"}}
	for _, item := range ofBefore() {
		identified(item, []byte("h"), former)
		if _, is := item.(*store.VerdictRecord); is {
			continue // is nobody's
		}
		m.ErrorIs(m.restored(false, item)[0].Err, store.ErrForgotten, item.ID())
	}
}
