package testneo4j

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Version is the Neo4j that tests run on; server/pom.xml names the same.
const Version = "5.26"

// stateDir is where the running server is noted, below the root of the repository; git ignores it.
const stateDir = ".neo4j"

// Server is a running Neo4j and how it was started.
type Server struct {
	URL      string `json:"url"`
	User     string `json:"user"`
	Password string `json:"password"`
	// Container is set where Docker runs it, PID and Directory where Java does.
	Container string `json:"container,omitempty"`
	PID       int    `json:"pid,omitempty"`
	Directory string `json:"directory,omitempty"`
}

// Root finds the root of the repository from the working directory upwards.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod here or above: run this inside the repository")
		}
		dir = parent
	}
}

func statePath(root string) string { return filepath.Join(root, stateDir, "server.json") }

func logPath(root string) string { return filepath.Join(root, stateDir, "server.log") }

// Load reads which server was started; nil where none was.
func Load(root string) (*Server, error) {
	text, err := os.ReadFile(statePath(root))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	server := &Server{}
	if err := json.Unmarshal(text, server); err != nil {
		return nil, fmt.Errorf("%s: %w", statePath(root), err)
	}
	return server, nil
}

// save notes the server before it has started, so that Down finds it whatever happens.
func (s *Server) save(root string) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(statePath(root)), 0o750); err != nil {
		return err
	}
	return os.WriteFile(statePath(root), append(text, '\n'), 0o600)
}
