package retrieval_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/retrieval"
)

func day(d int, m time.Month, y int) retrieval.Date { return retrieval.Date{Year: y, Month: m, Day: d} }

func TestDates(t *testing.T) {
	t.Parallel()
	const may, march = time.May, time.March
	for query, want := range map[string][]retrieval.Date{
		// days
		"What happened on 7 May 2023?":                  {day(7, may, 2023)},
		"May 7th, 2023":                                 {day(7, may, 2023)},
		"may 7, 2023":                                   {day(7, may, 2023)},
		"what did ann say on may 7":                     {day(7, may, 0)},
		"what did ann say on may 7 at the library":      {day(7, may, 0)},
		"on 7 may at the library":                       {day(7, may, 0)},
		"the 7th of May":                                {day(7, may, 0)},
		"the 7th of may, 2023 was warm":                 {day(7, may, 2023)},
		"May the 7th":                                   {day(7, may, 0)},
		"since 1 Sept. 2022":                            {day(1, time.September, 2022)},
		"Dec 24":                                        {day(24, time.December, 0)},
		"Did it rain on 29 February?":                   {day(29, time.February, 0)},
		"2023-05-07":                                    {day(7, may, 2023)},
		"at 2023-05-07T10:00:00Z":                       {day(7, may, 2023)},
		"(2023/05/07)":                                  {day(7, may, 2023)},
		"between 3-7 May":                               {day(7, may, 0)},
		"from 3 May to 7 June 2023":                     {day(3, may, 0), day(7, time.June, 2023)},
		"On 7 May 2023, on May 7, 2023 and 2023-05-07.": {day(7, may, 2023)},
		"the march of 7 March":                          {day(7, march, 0)},
		"they left 2 june and came back":                {day(2, time.June, 0)},
		"dec 24 was cold":                               {day(24, time.December, 0)},
		// months
		"Where was Ann in May 2023?":   {{Year: 2023, Month: may}},
		"in may":                       {{Month: may}},
		"in May of 2023":               {{Year: 2023, Month: may}},
		"in early May, 2023?":          {{Year: 2023, Month: may}},
		"mid-May":                      {{Month: may}},
		"last March":                   {{Month: march}},
		"the September trip":           {{Month: time.September}},
		"during August":                {{Month: time.August}},
		"Jan 2024":                     {{Year: 2024, Month: time.January}},
		"2023-05":                      {{Year: 2023, Month: may}},
		"in July. 2023 words":          {{Month: time.July}},
		"the 31 September that is not": {{Month: time.September}},
		// years
		"in 2023":            {{Year: 2023}},
		"In 2023 was it wet": {{Year: 2023}},
		"the summer of 2023": {{Year: 2023}},
		"since early 2021?":  {{Year: 2021}},
		// none
		"":                                  nil,
		"May I come in?":                    nil,
		"may the best win":                  nil,
		"She may march on Monday":           nil,
		"March on, soldiers":                nil,
		"What did April say to June?":       nil,
		"in April's car":                    nil,
		"Jan and Mar went home":             nil,
		"only 2 may enter":                  nil,
		"rooms 1 and 2 may be used":         nil,
		"we march 3 miles":                  nil,
		"March 3 miles a day":               nil,
		"at 7:30 may we go":                 nil,
		"v7 May":                            nil,
		"order 2023":                        nil,
		"in 2000 steps":                     nil,
		"one of 2023":                       nil,
		"in 12023":                          nil,
		"31 February":                       {{Month: time.February}},
		"2023-02-30":                        nil,
		"2023-13-01":                        nil,
		"CVE-2023-05":                       nil,
		"2023-05-07-8":                      nil,
		"1.2023-05-07":                      nil,
		"5/7/2023":                          nil,
		"last week, yesterday, next Monday": nil,
		"maybe 7 mayors marched":            nil,
	} {
		assert.Equal(t, want, retrieval.Dates(query), "%q", query)
	}
	many := retrieval.Dates("1 May, 2 May, 3 May, 4 May, 5 May, 6 May, 7 May, 8 May, 9 May, 10 May")
	assert.Len(t, many, 8)
	assert.Empty(t, retrieval.Dates(strings.Repeat("x ", 40_000)+"on 7 May 2023"), "far into a long text")
}

func TestNearWorked(t *testing.T) {
	t.Parallel()
	at := time.Date(2023, time.May, 7, 12, 0, 0, 0, time.UTC)
	for query, want := range map[string]float64{
		"":                    0,
		"on 7 May 2023":       1,
		"on 7 May":            1,
		"in May":              1,
		"in 2023":             1,
		"on 8 May":            math.Exp2(-0.5 / 7),
		"on 6 May 2023":       math.Exp2(-0.5 / 7),
		"on 14 May 2023":      math.Exp2(-6.5 / 7),
		"on 30 April 2023":    math.Exp2(-6.5 / 7),
		"in April 2023":       math.Exp2(-6.5 / 7),
		"in 2022":             math.Exp2(-126.5 / 7),
		"in May 2022":         math.Exp2(-340.5 / 7),
		"in March or in May":  1,
		"on 31 December":      math.Exp2(-127.5/7 + 1.0/7), // the one before
		"on 29 February 2024": math.Exp2(-297.5 / 7),
	} {
		assert.InDelta(t, want, near(retrieval.Dates(query), at), 1e-6, "%q", query)
	}
	eve := time.Date(2023, time.December, 31, 23, 0, 0, 0, time.UTC)
	assert.InDelta(t, math.Exp2(-1.0/24/7), near(retrieval.Dates("on 1 January"), eve), 1e-6, "the one after")
	elsewhere := time.Date(2023, time.May, 8, 1, 0, 0, 0, time.FixedZone("", 2*3600))
	assert.InDelta(t, 1, near(retrieval.Dates("on 7 May 2023"), elsewhere), 0, "days are those of UTC")
}

// However a day is written, it is that day; and records are the less near the further they are.
func TestEveryDayIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-2208988800, 4102444799).Draw(t, "time"), 0).UTC() // 1900 to 2099
		layout := rapid.SampledFrom([]string{
			"2 January 2006", "January 2, 2006", "Jan 2, 2006", "Jan. 2 2006", "2006-01-02", "2006/01/02", "on 2 Jan 2006", "the 2 of January 2006", "2006-01-02T15:04:05Z",
		}).Draw(t, "layout")
		text := strings.Replace(at.Format(layout), "May.", "May", 1) // which is not short for anything
		if rapid.Bool().Draw(t, "small") && !strings.HasSuffix(text, "Z") {
			text = strings.ToLower(text)
		}
		before := rapid.SampledFrom([]string{"", "What was said on ", "Ann, ("}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", "?", " at home", ", and then?"}).Draw(t, "after")
		dates := retrieval.Dates(before + text + after)
		assert.Equal(t, []retrieval.Date{day(at.Day(), at.Month(), at.Year())}, dates, "%q", before+text+after)
		assert.InDelta(t, 1, near(dates, at), 0)

		hours := rapid.IntRange(0, 24*60).Draw(t, "hours")
		nearness := near(dates, at.Add(time.Duration(hours)*time.Hour))
		further := near(dates, at.Add(time.Duration(hours+1)*time.Hour))
		assert.True(t, nearness >= further && further > 0)
		assert.Equal(t, dates, retrieval.Dates("on "+dates[0].String()), "as it writes itself")
	})
}

func FuzzDates(f *testing.F) {
	for _, text := range []string{"on 7 May 2023", "May 7th, 2023", "2023-05-07T10", "the 31st of Sept. of 2022", "in\u00a0may", "٧ May", "May-", "1/1/May", "\xffMay 3", "- - May 7 -"} {
		f.Add(text)
	}
	at := time.Date(2023, time.May, 7, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		dates := retrieval.Dates(text)
		assert.LessOrEqual(t, len(dates), 8)
		for _, d := range dates {
			assert.NotZero(t, d)
			assert.True(t, d.Year == 0 || d.Year >= 1900 && d.Year < 2100, "%v", d)
			assert.True(t, d.Month >= 0 && d.Month <= 12 && d.Day >= 0 && d.Day <= 31, "%v", d)
			if d.Day != 0 && d.Year != 0 {
				assert.Equal(t, d.Day, time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Day())
			}
			assert.Equal(t, []retrieval.Date{d}, retrieval.Dates("in "+d.String()), "%v", d)
		}
		nearness := near(dates, at)
		assert.True(t, nearness >= 0 && nearness <= 1)
	})
}

func near(dates []retrieval.Date, at time.Time) float64 {
	nearness, _ := retrieval.Near(dates, at)
	return nearness
}
