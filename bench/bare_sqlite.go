package main

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// What mneme's store asks for the same answer, one statement after the other.
//
//go:embed bare.sql
var bareSQL string

// bareSQLite asks the whole of an episode through database/sql, with prepared statements.
func bareSQLite(ctx context.Context, file string) (lookup, func(), error) {
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, nil, err
	}
	var statements []*sql.Stmt
	for text := range strings.SplitSeq(bareSQL, ";\n") {
		statement, err := db.PrepareContext(ctx, text) //nolint:sqlclosecheck // closed with db
		if err != nil {
			return nil, nil, fmt.Errorf("%w in %s", err, text)
		}
		statements = append(statements, statement)
	}
	find := func(ctx context.Context, key string) (any, error) {
		episode, err := bareEpisodeOf(ctx, statements[0], key)
		if err != nil {
			return nil, err
		}
		if episode.Canvases, err = bareCanvasesOf(ctx, statements[1], key); err != nil {
			return nil, err
		}
		episode.Feedback, err = bareFeedbackOf(ctx, statements[2], key)
		return episode, err
	}
	return find, func() { _ = db.Close() }, nil
}

type (
	bareEpisode struct {
		Key, Agent, AgentName, Outcome, Title, Observation, Insight string
		Result                                                      *string
		StartedAt                                                   time.Time
		EndedAt                                                     *time.Time
		Thoughts, Actions                                           json.RawMessage
		CanvasActionCount, FeedbackCount                            int
		FeedbackSum                                                 float64
		Canvases                                                    []*bareCanvas
		Feedback                                                    []bareFeedback
	}
	bareCanvas struct {
		Key, CanvasType string
		ComponentType   *string
		Actions         []bareAction
	}
	bareAction struct {
		Action   string
		Metadata json.RawMessage
		At       time.Time
	}
	bareFeedback struct {
		Key, Type              string
		Rating                 *int
		Score                  float64
		Corrections, CreatedBy *string
		CreatedAt              time.Time
	}
)

func bareEpisodeOf(ctx context.Context, statement *sql.Stmt, key string) (*bareEpisode, error) {
	var e bareEpisode
	var thoughts, actions string
	var started int64
	var ended *int64
	err := statement.QueryRowContext(ctx, sql.Named("key", key)).Scan(&e.Key, &e.Agent, &e.AgentName, &e.Outcome, &started, &ended,
		&e.Title, &e.Observation, &thoughts, &actions, &e.Result, &e.Insight, &e.CanvasActionCount, &e.FeedbackSum, &e.FeedbackCount)
	e.Thoughts, e.Actions, e.StartedAt = json.RawMessage(thoughts), json.RawMessage(actions), time.UnixMilli(started).UTC()
	if ended != nil {
		e.EndedAt = to(time.UnixMilli(*ended).UTC())
	}
	return &e, err
}

func bareCanvasesOf(ctx context.Context, statement *sql.Stmt, key string) ([]*bareCanvas, error) {
	rows, err := statement.QueryContext(ctx, sql.Named("key", key))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []*bareCanvas
	for rows.Next() {
		var c bareCanvas
		var a bareAction
		var metadata *string
		var at int64
		if err := rows.Scan(&c.Key, &c.CanvasType, &c.ComponentType, &a.Action, &metadata, &at); err != nil {
			return nil, err
		}
		if metadata != nil {
			a.Metadata = json.RawMessage(*metadata)
		}
		a.At = time.UnixMilli(at).UTC()
		if last := len(list) - 1; last < 0 || list[last].Key != c.Key {
			list = append(list, &c)
		}
		last := list[len(list)-1]
		last.Actions = append(last.Actions, a)
	}
	return list, rows.Err()
}

func bareFeedbackOf(ctx context.Context, statement *sql.Stmt, key string) ([]bareFeedback, error) {
	rows, err := statement.QueryContext(ctx, sql.Named("key", key))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []bareFeedback
	for rows.Next() {
		var f bareFeedback
		var at int64
		if err := rows.Scan(&f.Key, &f.Type, &f.Rating, &f.Score, &f.Corrections, &f.CreatedBy, &at); err != nil {
			return nil, err
		}
		f.CreatedAt = time.UnixMilli(at).UTC()
		list = append(list, f)
	}
	return list, rows.Err()
}
