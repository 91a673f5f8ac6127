// Package live tells of what is recorded as it comes.
package live

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"sync"
	"time"

	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/service/boundary"
	"mneme/service/events"
	"mneme/service/faults"
	"mneme/service/learning"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// Live tells of what is recorded as it comes.
type Live struct {
	t    *tenancy.Tenant
	feed *events.Feed
	// alerting shares what it finds; learning is what finds it.
	alerting *alerting
	learning *learning.Learning
}

// New is that of a tenant, whose alerts learning finds.
func New(t *tenancy.Tenant, feed *events.Feed, learning *learning.Learning) *Live {
	return &Live{t: t, feed: feed, learning: learning}
}

// Stream is the events of a subscription.
type Stream[T any] = events.Stream[T]

// RecordEvent tells of an episode, a feedback or a verdict that was recorded. Cursor is the place after which a
// subscription goes on.
type RecordEvent struct {
	Cursor string
	notice store.Notice
}

// Episode is the one that an event tells of, with what is to come along; nil where it is gone.
func (l *Live) Episode(ctx context.Context, event *RecordEvent, include boundary.Include) (*memory.Episode, error) {
	of := event.notice
	if include.HeadOnly {
		of.Bytes = 0
	}
	return recordOf(ctx, of, func(ctx context.Context, keys []string) ([]*memory.Episode, error) {
		return l.t.Store.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: include.Parts()})
	})
}

// RecordOf is the record of another kind that an event tells of; nil where it is gone.
func RecordOf[T any](ctx context.Context, l *Live, event *RecordEvent) (*T, error) {
	return recordOf(ctx, event.notice, reading.ByKey[T](l.t.Store))
}

// recordOf reads the record of a notice, once there is room for it. One that cannot be read is left out, as in lists.
func recordOf[T any](ctx context.Context, of store.Notice, read func(context.Context, []string) ([]*T, error)) (*T, error) {
	if err := store.BudgetOf(ctx).Reserve(of.Bytes); err != nil {
		return nil, err
	}
	var unread faults.Unreadable
	record, err := events.Record(unread.Within(ctx), of.Key, read)
	return record, faults.Of("the "+string(of.Kind), err)
}

// RankingEvent tells that executions of a task type were counted. Of several at once the last is told.
type RankingEvent struct {
	Cursor   string
	TaskType string
}

// AlertEvent tells of an alert that rose. Cursor is the place after which a subscription goes on.
type AlertEvent struct {
	Cursor string
	Alert  *alerts.Alert
}

// alerting is what a tenant's alerts are looked for with, only while somebody subscribes to them in this process.
type alerting struct {
	lookout *events.Work
	// looking is held by who looks, failed says that the last look in the background did, and found are the alerts of
	// the last look here, by their digests.
	looking sync.Mutex
	failed  bool
	found   map[string]alerts.Alert
}

// Watch gets Live what looks for alerts, every so often; 0 is as often as is usual.
func (l *Live) Watch(every time.Duration) {
	l.alerting = &alerting{lookout: l.feed.NewLookout(every, func(ctx context.Context) {
		err := l.lookForAlerts(store.Unmetered(ctx))
		if err != nil && !l.alerting.failed && ctx.Err() == nil {
			l.t.Log.WarnContext(ctx, "alerts cannot be looked for; their subscriptions wait", "error", err)
		}
		l.alerting.failed = err != nil
	})}
}

// Close ends what it does in the background.
func (l *Live) Close() {
	l.alerting.lookout.Close()
	l.feed.Close()
}

// RecordFilter keeps the events of records that have all the names that are set.
type RecordFilter struct{ AgentID, TaskType, EpisodeID, JudgeID, RunID, SectionType *string }

// Recorded tells of the records of a kind that are recorded from now on, or after a cursor, and pass a filter: of
// episodes by agent and task type, of feedback by its episode and the agent of that, as far as these are known when it
// is told, of verdicts by judge, run and section type. It is NOT_FOUND where the events after the cursor are not kept
// any more, and LIMIT_EXCEEDED where there are too many subscriptions; so are the others.
func (l *Live) Recorded(ctx context.Context, kind memory.Kind, filter RecordFilter, after *string) (*Stream[RecordEvent], error) {
	b := l.t.Question(ctx)
	agent, taskType := b.OptionalKey(memory.KindAgent, "agentId", filter.AgentID), b.OptionalLabel("taskType", filter.TaskType)
	episode, judge := b.OptionalKey(memory.KindEpisode, "episodeId", filter.EpisodeID), b.OptionalLabel("judgeId", filter.JudgeID)
	run, sectionType := b.OptionalKey(memory.KindRun, "runId", filter.RunID), b.OptionalLabel("sectionType", filter.SectionType)
	if b.Err() != nil {
		return nil, b.Err()
	}
	return events.Follow(left(ctx), l.feed, after, func(_ context.Context, notices []store.Notice) (found []*RecordEvent, err error) {
		for _, n := range notices {
			if n.Kind == kind && is(agent, n.Agent) && is(taskType, n.TaskType) && is(episode, n.Episode) &&
				is(judge, n.Judge) && is(run, n.Run) && is(sectionType, n.SectionType) {
				found = append(found, &RecordEvent{events.CursorAt(n.Number), n})
			}
		}
		return found, nil
	})
}

// RankingChanged tells when executions of a task type were counted, by which its agents are ranked.
func (l *Live) RankingChanged(ctx context.Context, taskType string, after *string) (*Stream[RankingEvent], error) {
	b := l.t.Question(ctx)
	taskType = b.Label("taskType", taskType)
	if b.Err() != nil {
		return nil, b.Err()
	}
	return events.Follow(left(ctx), l.feed, after, func(_ context.Context, notices []store.Notice) ([]*RankingEvent, error) {
		for _, n := range slices.Backward(notices) {
			if n.Kind == memory.KindExecution && n.TaskType == taskType {
				return []*RankingEvent{{events.CursorAt(n.Number), taskType}}, nil
			}
		}
		return nil, nil
	})
}

// AlertsRaised tells of the alerts that rise, all or those of a kind, as severe or more. It looks for alerts when
// called, too: those that stand already are told to callers with a cursor from before they were first seen.
func (l *Live) AlertsRaised(ctx context.Context, input boundary.AlertsInput, after *string) (*Stream[AlertEvent], error) {
	if err := input.Check(); err != nil {
		return nil, err
	}
	if err := l.lookForAlerts(left(ctx)); err != nil {
		return nil, err
	}
	stream, err := events.Follow(left(ctx), l.feed, after, func(ctx context.Context, notices []store.Notice) (risen []*AlertEvent, err error) {
		for _, n := range notices {
			if n.Kind != store.KindAlert {
				continue
			}
			alert, stands, err := l.alert(ctx, n.Key)
			if err != nil {
				return nil, err
			}
			if stands && input.Keeps(alert) {
				risen = append(risen, &AlertEvent{events.CursorAt(n.Number), &alert})
			}
		}
		return risen, nil
	})
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, l.alerting.lookout.Join())
	return stream, nil
}

// lookForAlerts looks for alerts, and tells those that rose. A memory without any record stays as it is.
func (l *Live) lookForAlerts(ctx context.Context) error {
	l.alerting.looking.Lock()
	defer l.alerting.looking.Unlock()
	latest, err := l.t.Store.LatestNotice(ctx)
	if err != nil {
		return faults.Of("the event", err)
	}
	look := int64(0)
	if latest > 0 {
		if look, err = l.t.Store.BeginAlerts(ctx); errors.Is(err, store.ErrReadOnly) {
			look, err = 0, nil // which tells of nothing new
		}
		if err != nil {
			return faults.Of("the alerts", err)
		}
	}
	all, err := l.learning.Alerts(ctx, boundary.AlertsInput{})
	if err != nil {
		return err
	}
	found, digests := make(map[string]alerts.Alert, len(all)), make([]string, 0, len(all))
	for _, alert := range all {
		key, err := l.t.InputKey(ctx)
		if err != nil {
			return err
		}
		digest := digestOf(key, alert)
		if _, twice := found[digest]; !twice {
			found[digest], digests = alert, append(digests, digest)
		}
	}
	l.alerting.found = found
	if look == 0 {
		return nil
	}
	return faults.Of("the alerts", l.t.Store.KeepAlerts(ctx, look, digests))
}

// alert finds the alert of a digest, false where it fell since. One that another server found is looked for.
func (l *Live) alert(ctx context.Context, digest string) (alert alerts.Alert, stands bool, err error) {
	known := func() bool {
		l.alerting.looking.Lock()
		defer l.alerting.looking.Unlock()
		alert, stands = l.alerting.found[digest]
		return stands
	}
	if !known() {
		if err := l.lookForAlerts(ctx); err != nil {
			return alert, false, err
		}
		known()
	}
	return alert, stands, nil
}

// digestOf tells one alert from another: by what it is about and how severe it is, and not by its numbers, which move.
// Nobody without the tenant's key can tell of whom it is.
func digestOf(key []byte, a alerts.Alert) string {
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte(string(a.Kind) + "\x00" + string(a.Severity) + "\x00" + memory.OrZero(a.SubjectID) + "\x00" + a.Subject))
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16])
}

// left lets reads leave out what cannot be read, as lists do, and counts none of them: a subscription has no end.
func left(ctx context.Context) context.Context {
	var unread faults.Unreadable
	return unread.Within(store.Unmetered(ctx))
}

// is says whether a value is the one that a filter wants; nil wants all.
func is(wanted *string, value string) bool { return wanted == nil || *wanted == value }
