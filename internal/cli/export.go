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
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/importer"
	"mneme/internal/transfer"
	"mneme/service"
)

func (p *program) exportCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write all that a tenant keeps to a file",
		Long: `Write all that a tenant keeps to a file, a line of JSON for each record; to the standard output without
one. A name that ends in .gz is packed. Importing it (mneme import --format jsonl) into an empty tenant, of
either store, gives the same memory: an export of that is the same, byte for byte.

The file holds everything, also the key by which inputs are known again: keep it as you keep the data.
What cannot be read any more is left out: the export is written without it, says so, and the exit status is 1.

A server may run on the same data meanwhile. SQLite exports the state at the start; Neo4j has no
such view, so stop writing for an export that must be exact.`,
		Example: "  mneme export memory.jsonl.gz\n" +
			"  mneme export --data old | mneme import --format jsonl --store neo4j://localhost:7687 -",
		Args: needs("a file", 0, 1),
		RunE: p.begun(func(command *cobra.Command, files []string) error {
			return p.with(command, func(ctx context.Context, tenant *service.Tenant) error {
				if len(files) == 0 || files[0] == "-" {
					_, err := p.export(ctx, tenant, p.Out, "standard output")
					return err
				}
				return p.exportFile(ctx, tenant, files[0])
			})
		}),
	}
	p.tenantFlags(command)
	return command
}

// exportFile exports to what a path names.
func (p *program) exportFile(ctx context.Context, tenant *service.Tenant, path string) error {
	began := time.Now()
	account, partial := p.exportTo(ctx, tenant, path)
	if partial != nil && !transfer.IsPartial(partial) {
		return partial
	}
	exported := struct {
		File    string           `json:"file"`
		Records int              `json:"records"`
		Lines   transfer.Account `json:"lines"`
	}{path, account.Records(), account}
	return errors.Join(partial, p.answer(exported, func(w io.Writer) {
		fmt.Fprintf(w, "%s: exported %s in %s\n", path, cmp.Or(importer.InWords(account), "nothing"), time.Since(began).Round(10*time.Millisecond))
	}))
}

// exportTo writes a file that comes into being when it is whole, for its owner only. What is there already and
// is no file, such as a pipe, is written to.
func (p *program) exportTo(ctx context.Context, tenant *service.Tenant, path string) (transfer.Account, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		pipe, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return p.exportInto(ctx, tenant, pipe, path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	var fault *fs.PathError
	if errors.As(err, &fault) { // which names a file of its own
		return nil, fmt.Errorf("%s cannot be written: %w", path, fault.Err)
	}
	if err != nil {
		return nil, err
	}
	account, err := p.exportInto(ctx, tenant, file, path)
	if err == nil || transfer.IsPartial(err) {
		err = errors.Join(err, os.Rename(file.Name(), path))
	}
	if err != nil && !transfer.IsPartial(err) {
		return nil, errors.Join(err, os.Remove(file.Name()))
	}
	return account, err
}

// exportInto writes an export, packed where the name says so, and closes the file.
func (p *program) exportInto(ctx context.Context, tenant *service.Tenant, file *os.File, name string) (transfer.Account, error) {
	var packed io.WriteCloser = file
	if strings.HasSuffix(name, ".gz") {
		packed = gzip.NewWriter(file)
	}
	account, err := p.export(ctx, tenant, packed, name)
	if packed != file {
		err = errors.Join(err, packed.Close())
	}
	if info, fault := file.Stat(); fault == nil && info.Mode().IsRegular() {
		err = errors.Join(err, file.Sync())
	}
	return account, errors.Join(err, file.Close())
}

func (p *program) export(ctx context.Context, tenant *service.Tenant, to io.Writer, name string) (transfer.Account, error) {
	progress := newProgress(p.Err, name)
	defer progress.end()
	buffer := bufio.NewWriterSize(to, 64<<10)
	account, err := transfer.Export(ctx, tenant, buffer, func(account transfer.Account) {
		progress.tell(account.Records(), func(rate float64) string {
			return fmt.Sprintf("%s: %d records, %.0f a second", name, account.Records(), rate)
		})
	})
	return account, errors.Join(err, buffer.Flush())
}
