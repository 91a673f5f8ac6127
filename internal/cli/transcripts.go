package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mneme/internal/app"
	"mneme/internal/importer"
	"mneme/memory"
	"mneme/memory/prose"
	"mneme/service"
)

// transcriptsOf say where coding agents leave their transcripts: below a directory that a variable names, else one of
// the user's, in files of such names. Those of subagents are parts of others.
var transcriptsOf = map[importer.Format]struct {
	variable, home, below string
	names                 *regexp.Regexp
}{
	importer.ClaudeCode: {"CLAUDE_CONFIG_DIR", ".claude", "projects", regexp.MustCompile(`^(?:[^a]|a[^g]).*\.jsonl$`)},
	importer.Codex:      {"CODEX_HOME", ".codex", "sessions", regexp.MustCompile(`^rollout-.*\.jsonl$`)},
}

// homeOf is the directory in which a coding agent keeps what is the user's.
func homeOf(format importer.Format) (string, error) {
	of := transcriptsOf[format]
	if dir := os.Getenv(of.variable); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, of.home), err
}

// transcripts are the files in what is named, or where the agent leaves them, that were written to since.
func transcripts(named []string, options importer.Options) (files []string, err error) {
	if len(named) == 0 {
		dir, err := homeOf(options.Format)
		if err != nil {
			return nil, err
		}
		named = []string{filepath.Join(dir, transcriptsOf[options.Format].below)}
	}
	for _, name := range named {
		if name == "-" {
			files = append(files, name)
			continue
		}
		err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
			if err != nil && path == name {
				return fmt.Errorf("there is no directory or file %s", name)
			}
			if err != nil || entry.IsDir() || path != name && !transcriptsOf[options.Format].names.MatchString(entry.Name()) {
				return nil //nolint:nilerr // one that may not be read is as those that are not there
			}
			if info, err := os.Stat(path); err != nil || info.ModTime().Before(options.Since) {
				return nil //nolint:nilerr // it went away meanwhile
			}
			files = append(files, path)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// importTranscripts imports transcripts, and says what came of all of them.
func (p *program) importTranscripts(ctx context.Context, named []string, options importer.Options) error {
	files, err := transcripts(named, options)
	if err != nil {
		return err
	}
	options.KeepGoing, options.Seen = true, importer.NewTranscripts()
	return p.recording(ctx, func(ctx context.Context, opened *app.Memory, tenant *service.Tenant) error {
		fmt.Fprintf(p.Err, "Importing %s into %s\n", prose.Plural(len(files), "transcript"), opened.Describe())
		progress := newProgress(p.Err)
		all := importer.NewReport()
		var last importer.Report
		for i, name := range files {
			last, err = p.importTranscript(ctx, tenant, name, options)
			all.Add(last)
			progress.tell(all.Records(), func(float64) string {
				return fmt.Sprintf("%s: %d of %d transcripts, %s", options.Format, i+1, len(files), prose.Plural(all.Records(), "episode"))
			})
			if err != nil {
				progress.end()
				return fmt.Errorf("%s: %w\nImported so far: %s. Import again to go on from there", fileName(name), err, all)
			}
		}
		progress.end()
		if all.Records() == 0 && last.Line > 0 {
			fmt.Fprintln(p.Err, isFormat(options.Format))
		}
		return p.tellTranscripts(files, options, all, opened.Service.Redacted)
	})
}

func (p *program) importTranscript(ctx context.Context, tenant *service.Tenant, name string, options importer.Options) (importer.Report, error) {
	file, err := p.file(ctx, name)
	if err != nil {
		return importer.Report{}, err
	}
	defer file.Close()
	report, err := importer.Import(ctx, tenant, file, options)
	p.tellFaults(fileName(name), report)
	return report, err
}

func (p *program) tellTranscripts(files []string, options importer.Options, all importer.Report, redacted func(string) string) error {
	seen := options.Seen
	said := struct {
		Files int `json:"files"`
		importer.Report
		*importer.Transcripts
	}{len(files), all, seen}
	err := p.answer(said, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s of %s", options.Format, all, prose.Plural(len(files), "transcript"))
		if worst := worstTool(seen.Tools); worst != "" {
			fmt.Fprintf(w, "; %s", redacted(worst))
		}
		fmt.Fprintln(w)
		if len(seen.Unread) > 0 {
			fmt.Fprintf(w, "Left out what is not known: %s\n", strings.Join(memory.Mapped(most(seen.Unread), func(kind string) string {
				return fmt.Sprintf("%s %s", prose.Plural(seen.Unread[kind], "line"), kind)
			}), ", "))
		}
		if all.Forgotten > 0 {
			fmt.Fprintf(w, "Left out %s deleted for good; --force brings them back\n", prose.Counted(all.Forgotten, "episode that was", "episodes that were"))
		}
	})
	if err == nil && all.Skipped > 0 {
		return fmt.Errorf("%s skipped; %w", prose.Counted(all.Skipped, "faulty episode was", "faulty episodes were"), errPart)
	}
	return err
}

// worstTool says which tool failed most, and with what.
func worstTool(tools map[string]*importer.ToolUse) string {
	failed := map[string]int{}
	for name, use := range tools {
		failed[name] = use.Failed
	}
	names := most(failed)
	if len(names) == 0 || failed[names[0]] == 0 {
		return ""
	}
	worst := tools[names[0]]
	text := fmt.Sprintf("`%s` failed most, %d of %s", names[0], worst.Failed, prose.Plural(worst.Calls, "call"))
	if faults := most(worst.Faults); len(faults) > 0 {
		text += fmt.Sprintf(", most often with %q", faults[0])
	}
	return text
}

// most are the keys of counts, the largest first.
func most(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
}
