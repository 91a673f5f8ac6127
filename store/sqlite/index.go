package sqlite

import (
	"strings"

	"mneme/memory"
	"mneme/store/lexical"
)

// indexed are the stems of the texts by which an episode is found.
type indexed struct{ title, observation, result, insight string }

func analyse(e memory.Episode) indexed {
	words := indexed{
		title: lexical.Stems(e.Title), observation: lexical.Stems(e.Observation), insight: lexical.Stems(e.Insight),
	}
	if e.Result != nil {
		words.result = lexical.Stems(*e.Result)
	}
	return words
}

// distinct is the list of stems, each once, for json_each.
func (w indexed) distinct() (string, error) {
	seen := map[string]bool{}
	list := []string{}
	for _, text := range []string{w.title, w.observation, w.result, w.insight} {
		for stem := range strings.FieldsSeq(text) {
			if !seen[stem] {
				seen[stem] = true
				list = append(list, stem)
			}
		}
	}
	return jsonOf(list)
}

// addWords puts an episode into the word index.
func addWords(c *conn, episode int64, words indexed) error {
	const add = `INSERT INTO words (rowid, title, observation, result, insight) VALUES (:id, :title, :observation, :result, :insight)`
	const count = `INSERT INTO stems (stem, episodes) SELECT value, 1 FROM json_each(:stems) WHERE true
		ON CONFLICT DO UPDATE SET episodes = episodes + 1`
	if err := changeWords(c, add, episode, words); err != nil {
		return err
	}
	stems, err := words.distinct()
	if err != nil {
		return err
	}
	return c.exec(count, arg("stems", stems))
}

// removeWords takes an episode out of the word index. The words must be those that were put in.
func removeWords(c *conn, episode int64, words indexed) error {
	const remove = `INSERT INTO words (words, rowid, title, observation, result, insight)
		VALUES ('delete', :id, :title, :observation, :result, :insight)`
	const count = `UPDATE stems SET episodes = episodes - 1 WHERE stem IN (SELECT value FROM json_each(:stems))`
	const forget = `DELETE FROM stems WHERE episodes <= 0 AND stem IN (SELECT value FROM json_each(:stems))`
	if err := changeWords(c, remove, episode, words); err != nil {
		return err
	}
	stems, err := words.distinct()
	if err != nil {
		return err
	}
	if err := c.exec(count, arg("stems", stems)); err != nil {
		return err
	}
	return c.exec(forget, arg("stems", stems))
}

func changeWords(c *conn, sql string, episode int64, words indexed) error {
	return c.exec(sql, arg("id", episode), arg("title", words.title), arg("observation", words.observation),
		arg("result", words.result), arg("insight", words.insight))
}

// indexedWords are the words of a recorded episode.
func indexedWords(c *conn, episode int64) (words indexed, err error) {
	const read = `SELECT title, observation, result, insight FROM contents WHERE episode = :id`
	_, err = c.one(read, func(r *row) {
		words = analyse(memory.Episode{Title: r.text(), Observation: r.text(), Result: r.optionalText(), Insight: r.text()})
	}, arg("id", episode))
	return words, err
}
