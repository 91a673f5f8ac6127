package cli

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/importer"
	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/service"
)

func (p *program) exportCommand() *cobra.Command {
	return p.asks(&cobra.Command{
		Use:   "export [FILE]",
		Short: "Write all that a tenant keeps to a file",
		Long: `Write all that a tenant keeps to a file, a line of JSON for each record; to the standard output without
one. A name that ends in .gz is packed. Importing it (mneme import --format jsonl) into an empty tenant, of
either store, gives the same memory: an export of that is the same, byte for byte.

The file holds everything, also the key by which inputs are known again: keep it as you keep the data.
What cannot be read any more is left out: the export is written without it, says so, and the exit status is 3.

A server may run on the same data meanwhile. SQLite exports the state at the start; Neo4j has no
such view, so stop writing for an export that must be exact.`,
		Example: "  mneme export memory.jsonl.gz\n" +
			"  mneme export --data old | mneme import --format jsonl --store neo4j://localhost:7687 -",
		Args: cobra.MatchAll(cobra.MaximumNArgs(1), notEmpty),
	}, func(ctx context.Context, tenant *service.Tenant, files []string) error {
		if len(files) == 0 || files[0] == "-" {
			e, err := p.export(ctx, tenant, p.Out, "standard output")
			return cmp.Or(err, e.left)
		}
		return p.exportFile(ctx, tenant, files[0])
	})
}

// exported is what came of an export that is there.
type exported struct {
	account transfer.Account
	left    error // what it lacks; nil for nothing
}

// leftOut is an errPart that says itself what is done.
type leftOut struct{ error }

func (leftOut) Is(target error) bool { return target == errPart }

// exportFile writes a file that comes into being when it is whole, for its owner only. What is there already and is no
// file, such as a pipe, is written to.
func (p *program) exportFile(ctx context.Context, tenant *service.Tenant, path string) error {
	began, target := time.Now(), path
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		target = linked
	}
	if p.config.KeepsIn(target) {
		return fmt.Errorf("%s belongs to the data that is exported: name another file", target)
	}
	var e exported
	written := madeWhole
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		written = writtenTo
	}
	err := written(target, func(file *os.File) (err error) {
		e, err = p.exportInto(ctx, tenant, file, target)
		return err
	})
	if err != nil {
		return err
	}
	said := struct {
		File    string           `json:"file"`
		Records int              `json:"records"`
		Lines   transfer.Account `json:"lines"`
	}{path, e.account.Records(), e.account}
	what := cmp.Or(importer.InWords(e.account), "nothing")
	return cmp.Or(p.says(said, "%s: exported %s in %s", path, what, time.Since(began).Round(10*time.Millisecond)), e.left)
}

// writtenTo has what is there and is no file, such as a pipe, written to and closed.
func writtenTo(path string, write func(*os.File) error) error {
	there, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return notWritable(path, err)
	}
	return write(there)
}

// notWritable says which file cannot be written; the error may name another, which only stands for it. Of a full disk
// it says what to do, and it leaves errors of others as they are.
func notWritable(path string, err error) error {
	if _, ok := errors.AsType[*memory.Error](err); ok { // which may be of a file of the store's
		return err
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("the disk of %s is full: make room on it, or name a file on another", path)
	}
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s cannot be written: %w", path, fault.Err)
	}
	return err
}

// exportInto writes an export, packed where the name says so, and closes the file.
func (p *program) exportInto(ctx context.Context, tenant *service.Tenant, file *os.File, name string) (exported, error) {
	var packed io.WriteCloser = file
	if strings.HasSuffix(name, ".gz") {
		packed = gzip.NewWriter(file)
	}
	e, err := p.export(ctx, tenant, packed, name)
	if packed != file {
		err = cmp.Or(err, packed.Close())
	}
	if info, fault := file.Stat(); fault == nil && info.Mode().IsRegular() {
		err = cmp.Or(err, file.Sync())
	}
	return e, notWritable(name, cmp.Or(err, file.Close()))
}

// export writes to what has a name. The first error counts: those after it say the same.
func (p *program) export(ctx context.Context, tenant *service.Tenant, to io.Writer, name string) (e exported, err error) {
	progress := newProgress(p.Err)
	defer progress.end()
	buffer := bufio.NewWriterSize(to, 64<<10)
	e.account, err = transfer.Export(ctx, tenant, buffer, func(account transfer.Account) {
		progress.tell(account.Records(), func(rate float64) string {
			return fmt.Sprintf("%s: %d records, %.0f a second", name, account.Records(), rate)
		})
	})
	if memory.CodeOf(err) == memory.CodeDamaged {
		e.left, err = leftOut{err}, nil
	}
	return e, cmp.Or(err, buffer.Flush())
}
