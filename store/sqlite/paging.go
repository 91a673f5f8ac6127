package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
)

// addAfter goes on behind a position in the order newest first, then by the key of k.
func (w *conditions) addAfter(column string, after *store.Position) {
	if after == nil {
		return
	}
	w.add(column+` <= :after_at AND (`+column+` < :after_at OR k.key > :after_key)`,
		arg("after_at", after.At), arg("after_key", after.Key))
}

// addAfterName goes on behind a name, in the order of names that are unique.
func (w *conditions) addAfterName(column string, after *store.Position) {
	if after != nil {
		w.add(column+` > :after_key`, arg("after_key", after.Key))
	}
}

// recordsByKey reads records of a kind in the order of the keys, nil where there is none.
func recordsByKey[T any](
	ctx context.Context, t *Tenant, kind memory.Kind, find string, keys []string, read func(*row) *T, key func(*T) string,
) (ordered []*T, err error) {
	list, err := jsonOf(keys)
	if err != nil {
		return nil, err
	}
	found := make([]*T, 0, len(keys))
	err = t.snapshot(ctx, func(c *conn) error {
		err := c.query(find, func(r *row) error {
			found = keep(r, found, read(r))
			return nil
		}, arg("keys", list))
		if err != nil {
			return err
		}
		ordered = inOrder(keys, found, key)
		return tellGone(c, kind, keys, ordered)
	})
	return ordered, err
}

// tellGone tells of records that are there although reading them by their keys, in the same state, found nothing:
// something of them is gone.
func tellGone[T any](c *conn, kind memory.Kind, keys []string, found []*T) error {
	var missing []string
	for i, record := range found {
		if record == nil {
			missing = append(missing, keys[i])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	list, err := jsonOf(missing)
	if err != nil {
		return err
	}
	const there = `SELECT n.key FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = :kind AND n.key = w.value`
	return c.query(there, func(r *row) error {
		store.NoteDamage(c.reads, gone(kind, r.text()))
		return nil
	}, arg("keys", list), arg("kind", string(kind)))
}

func gone(kind memory.Kind, key string) *store.Damaged {
	return &store.Damaged{Kind: kind, Key: key, Cause: errors.New("something of it is gone")}
}

// listPage reads one record more than a page holds, which says whether more follow.
func listPage[T any](
	ctx context.Context, t *Tenant, find string, w conditions, limit int, read func(*row) *T,
) ([]*T, bool, error) {
	return wholePage(ctx, t.read, limit, func(c *conn, most int) (found []*T, err error) {
		err = c.search(ctx, find, func(r *row) error {
			found = keep(r, found, read(r))
			return nil
		}, append(w.args[:len(w.args):len(w.args)], arg("limit", most))...)
		return found, err
	})
}

// reader is a way to read: Tenant.read, or Tenant.snapshot.
type reader func(context.Context, func(*conn) error) error

// wholePage reads a page, and one record more, which says whether more follow. Where some cannot be read it reads
// further, so that a page is full as long as there are others.
func wholePage[T any](ctx context.Context, in reader, limit int, read func(c *conn, most int) ([]T, error)) ([]T, bool, error) {
	for most := limit + 1; ; most *= 2 {
		var found []T
		left := 0
		err := in(ctx, func(c *conn) (err error) {
			c.left = 0
			found, err = read(c, most)
			left = c.left
			return err
		})
		if err != nil {
			return nil, false, err
		}
		if left == 0 || len(found) > limit || len(found)+left < most {
			page, more := cut(found, limit)
			return page, more, nil
		}
	}
}

// cut takes away the record that was read only to know whether more follow.
func cut[T any](records []T, limit int) (page []T, more bool) {
	if records == nil {
		records = []T{}
	}
	if len(records) <= limit {
		return records, false
	}
	return records[:limit], true
}

// count runs a query for one number.
func (t *Tenant) count(ctx context.Context, sql string, args []driver.NamedValue) (count int, err error) {
	err = t.read(ctx, func(c *conn) error {
		return c.search(ctx, sql, func(r *row) error {
			count = r.int()
			return nil
		}, args...)
	})
	return count, err
}

// conditions are what a query asks of episodes e, joined by AND, with their parameters. The texts are
// constants; what a caller gives is always a parameter.
type conditions struct {
	texts []string
	args  []driver.NamedValue
}

func (w *conditions) add(text string, args ...driver.NamedValue) {
	w.texts = append(w.texts, text)
	w.args = append(w.args, args...)
}

// sql joins the conditions; none is always true.
func (w *conditions) sql() string {
	if len(w.texts) == 0 {
		return "1"
	}
	return strings.Join(w.texts, " AND ")
}

// Aggregates as they are, and as they were at an instant: what has none now had none then.
const (
	aggregatesNow  = `e.canvas_action_count, e.feedback_sum, e.feedback_count`
	aggregatesThen = `CASE WHEN e.canvas_action_count = 0 THEN 0 ELSE
			(SELECT count(*) FROM edges p JOIN canvas_actions x ON x.canvas = p.target
				WHERE p.source = e.id AND p.type = 'PRESENTED' AND x.at <= :as_of) END,
		CASE WHEN e.feedback_count = 0 THEN 0.0 ELSE
			(SELECT coalesce(sum(f.score), 0.0) FROM edges p JOIN feedback f ON f.id = p.target
				WHERE p.source = e.id AND p.type = 'RECEIVED' AND f.created_at <= :as_of) END,
		CASE WHEN e.feedback_count = 0 THEN 0 ELSE
			(SELECT count(*) FROM edges p JOIN feedback f ON f.id = p.target
				WHERE p.source = e.id AND p.type = 'RECEIVED' AND f.created_at <= :as_of) END`
	scoreNow  = `e.feedback_score`
	scoreThen = `(SELECT sum(f.score) / count(*) FROM edges p JOIN feedback f ON f.id = p.target
			WHERE p.source = e.id AND p.type = 'RECEIVED' AND f.created_at <= :as_of)`
)

// filtered are the conditions of a filter. With an instant, which is then the parameter as_of for the
// caller to add, they apply to what was known at it.
func filtered(filter *store.EpisodeFilter, asOf *time.Time) (w conditions) {
	if filter.Agent != nil {
		w.add(`e.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent)`, arg("agent", filter.Agent))
	}
	if filter.Session != nil {
		w.add(`e.session = (SELECT id FROM nodes WHERE kind = 'session' AND key = :session)`, arg("session", filter.Session))
	}
	if filter.TaskType != nil {
		w.add(`e.task_type = :task_type`, arg("task_type", filter.TaskType))
	}
	if filter.Outcome != nil {
		w.add(`e.outcome = :outcome`, arg("outcome", string(*filter.Outcome)))
	}
	if filter.Since != nil {
		w.add(`e.started_at >= :since`, arg("since", filter.Since))
	}
	if filter.Until != nil {
		w.add(`e.started_at < :until`, arg("until", filter.Until))
	}
	w.addScore(filter, asOf)
	w.addCanvas(filter, asOf)
	return w
}

func (w *conditions) addScore(filter *store.EpisodeFilter, asOf *time.Time) {
	score := scoreNow
	if asOf != nil {
		score = scoreThen
	}
	if filter.MinFeedback != nil {
		w.add(score+` >= :min_feedback`, arg("min_feedback", filter.MinFeedback))
	}
	if filter.MaxFeedback != nil {
		w.add(score+` <= :max_feedback`, arg("max_feedback", filter.MaxFeedback))
	}
}

// addCanvas asks for one canvas that meets both conditions and was known.
func (w *conditions) addCanvas(filter *store.EpisodeFilter, asOf *time.Time) {
	if filter.CanvasType == nil && filter.CanvasAction == nil {
		return
	}
	text := `e.canvas_action_count > 0 AND EXISTS (SELECT 1 FROM edges p JOIN canvases v ON v.id = p.target JOIN canvas_actions x ON x.canvas = v.id
		WHERE p.source = e.id AND p.type = 'PRESENTED'`
	if filter.CanvasType != nil {
		text += ` AND v.canvas_type = :canvas_type`
		w.args = append(w.args, arg("canvas_type", filter.CanvasType))
	}
	if filter.CanvasAction != nil {
		text += ` AND x.action = :canvas_action`
		w.args = append(w.args, arg("canvas_action", string(*filter.CanvasAction)))
	}
	if asOf != nil {
		text += ` AND x.at <= :as_of`
	}
	w.add(text + `)`)
}

// Lists that belong to one record are kept as JSON. Most are empty, which needs no decoder.
const emptyList = "[]"

// encodeList writes a list; nil is empty. JSON within it stays as it is, byte for byte.
func encodeList[T any](list []T) (string, error) {
	if len(list) == 0 {
		return emptyList, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(list)
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), err
}

// encodeOptional writes a list; nil is null.
func encodeOptional[T any](list []T) (*string, error) {
	if list == nil {
		return nil, nil
	}
	text, err := encodeList(list)
	return &text, err
}

func decodeList[T any](text string) ([]T, error) {
	list := []T{}
	if text == emptyList {
		return list, nil
	}
	if err := memory.KeptJSON.Check("", []byte(text)); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, err
	}
	if list == nil {
		return nil, errors.New("is no list")
	}
	return list, nil
}

// listOf reads a column that holds a list.
func listOf[T any](r *row) []T {
	list, err := decodeList[T](r.text())
	if err != nil {
		r.fail("column %s: %w", r.last(), err)
	}
	return list
}
