package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

const scaleTitle = `# Measured at scale

One client in one process with the store, unless it says otherwise, among episodes of ten passages of about twenty words
each. What is compared with the store's own queries took turns with them. Processor time is that of one in the mean,
mneme's and on Neo4j the database's too; it says more where others kept the machine busy.
Each section is of one run, which writes only its own:

    make bench-scale STORE=sqlite SIZES=20000,100000 ARGS="-parts recall,reads -keep DIRECTORY"
`

// write puts a section into the results, in the place of the one of the same store, part and size.
func (p scalePlan) write(ctx context.Context, s *scaled, part scalePart, text string) error {
	heading := fmt.Sprintf("%s, %d episodes: %s", s.title, s.size, part.heading)
	return keepSection(p.results, scaleTitle, heading, text+"\n"+scaleSurroundings(ctx))
}

// keepSection writes a section into results under title, in place of the one with its heading; the others stay.
func keepSection(path, title, heading, text string) error {
	sections, err := readSections(path)
	if err != nil {
		return err
	}
	heading = "## " + heading
	sections = slices.DeleteFunc(sections, func(section string) bool { return headingOf(section) == heading })
	sections = append(sections, heading+"\n\n"+strings.TrimSpace(text)+"\n")
	slices.SortFunc(sections, func(a, b string) int { return slices.Compare(placeOf(a), placeOf(b)) })
	return os.WriteFile(path, []byte(title+"\n"+strings.Join(sections, "\n")), 0o644)
}

// readSections takes the results apart; there are none where there is no file.
func readSections(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var sections []string
	for _, section := range bytes.Split(text, []byte("\n## "))[1:] {
		sections = append(sections, "## "+strings.TrimSpace(string(section))+"\n")
	}
	return sections, nil
}

func headingOf(section string) string {
	heading, _, _ := strings.Cut(section, "\n")
	return heading
}

// placeOf sorts sections by store, part and size.
func placeOf(section string) []int {
	heading := strings.TrimPrefix(headingOf(section), "## ")
	place := []int{0, len(scaleParts), 0}
	if strings.HasPrefix(heading, "Neo4j") {
		place[0] = 1
	}
	for i, part := range scaleParts {
		if strings.HasSuffix(heading, part.heading) {
			place[1] = i
		}
	}
	for word := range strings.FieldsSeq(heading) {
		if size, err := strconv.Atoi(word); err == nil {
			place[2] = size
		}
	}
	return place
}

// scaleSurroundings says what was measured with, and how busy that was.
func scaleSurroundings(context.Context) string {
	busy := "unknown"
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		busy = strings.Join(strings.Fields(string(text))[:2], " and ")
	}
	return fmt.Sprintf("%s, %d processors, %s/%s, %s; load of the last 1 and 5 minutes %s, this run included.",
		runtime.Version(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, time.Now().UTC().Format(time.DateOnly), busy)
}
