package rewrite

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"

	"golang.org/x/tools/imports"
)

// keep copies gqlgen's files, without the one that is not gqlgen's.
func keep(folder, except, stock string) error {
	if err := os.RemoveAll(stock); err != nil {
		return err
	}
	if err := os.MkdirAll(stock, 0o750); err != nil {
		return err
	}
	files, err := generated(folder)
	if err != nil {
		return err
	}
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{except: ""}
	for _, file := range files {
		if file == except {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		overlay.Replace[file] = filepath.Join(stock, filepath.Base(file)+".txt") // no package that `go list` finds
		if err := os.WriteFile(overlay.Replace[file], text, 0o600); err != nil { //nolint:gosec // named by gqlgen.yml
			return err
		}
	}
	text, err := json.MarshalIndent(overlay, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(stock, "overlay.json"), text, 0o600)
}

// generated are the files that gqlgen writes into a folder.
func generated(folder string) ([]string, error) {
	return filepath.Glob(filepath.Join(folder, "*.generated.go"))
}

// functions names the functions of a Go file.
func functions(file string) (map[string]bool, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, declaration := range parsed.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok {
			names[function.Name.Name] = true
		}
	}
	return names, nil
}

// removeElsewhere takes the functions out of the other files of a folder.
func removeElsewhere(folder, except string, names map[string]bool) error {
	files, err := generated(folder)
	if err != nil {
		return err
	}
	for _, file := range files {
		if file == except {
			continue
		}
		if err := remove(file, names); err != nil {
			return err
		}
	}
	return nil
}

func remove(file string, names map[string]bool) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.ParseComments)
	if err != nil {
		return err
	}
	var kept bytes.Buffer
	from := 0
	for _, declaration := range parsed.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || !names[function.Name.Name] {
			continue
		}
		kept.Write(text[from:files.Position(function.Pos()).Offset])
		from = files.Position(function.End()).Offset
	}
	kept.Write(text[from:])
	tidy, err := imports.Process(file, kept.Bytes(), nil)
	if err != nil {
		return err
	}
	return os.WriteFile(file, tidy, 0o644) //nolint:gosec // source code
}
