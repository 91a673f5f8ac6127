package testneo4j

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

var errNothingToRun = errors.New("tests on Neo4j need either a Docker engine that answers (`docker info`), " +
	"or Java 17 and Maven (Debian: apt install openjdk-17-jdk-headless maven; macOS: brew install openjdk@17 maven)")

// startJava runs the server as a process of its own that outlives this one.
func (s *Server) startJava(ctx context.Context, root, port string, progress io.Writer) error {
	for _, tool := range []string{"java", "javac", "mvn"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%w: %w", errNothingToRun, err)
		}
	}
	classpath, err := fetch(ctx, root, progress)
	if err != nil {
		return err
	}
	s.Directory, err = os.MkdirTemp("", "mneme-test-neo4j-")
	if err != nil {
		return err
	}
	printProgress(progress, "Starting Neo4j %s in Java, data in %s", Version, s.Directory)
	return s.launch(ctx, root, classpath, port)
}

// launch runs Java on the server's directory.
func (s *Server) launch(ctx context.Context, root, classpath, port string) error {
	source, err := sourceDirectory()
	if err != nil {
		return err
	}
	return s.run(ctx, root, []string{
		"-Xms512m", "-Xmx1280m",
		"--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED",
		"--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "--add-modules=jdk.incubator.vector",
		"-cp", classpath, filepath.Join(source, "Server.java"), s.Directory, port, s.Password,
	})
}

// sourceDirectory is where the server's program is.
func sourceDirectory() (string, error) {
	root, err := Root()
	return filepath.Join(root, "internal", "testneo4j", "server"), err
}

// fetch has Maven fetch the server, which takes a minute the first time, and answers where its parts are.
func fetch(ctx context.Context, root string, progress io.Writer) (classpath string, err error) {
	source, err := sourceDirectory()
	if err != nil {
		return "", err
	}
	printProgress(progress, "Fetching Neo4j with Maven (a minute the first time)")
	list := classpathList(root)
	if err := os.MkdirAll(filepath.Dir(list), 0o750); err != nil {
		return "", err
	}
	maven := exec.CommandContext(ctx, "mvn", "--batch-mode", "--quiet", "--file", filepath.Join(source, "pom.xml"),
		"dependency:build-classpath", "-Dmdep.outputFile="+list)
	if output, err := maven.CombinedOutput(); err != nil {
		return "", fmt.Errorf("maven could not fetch Neo4j: %w\n%s", err, output)
	}
	text, err := os.ReadFile(list)
	return strings.TrimSpace(string(text)), err
}

func classpathList(root string) string { return filepath.Join(root, stateDir, "classpath") }

// run starts java with its output in a log, and notes it.
func (s *Server) run(ctx context.Context, root string, args []string) error {
	log, err := os.Create(logPath(root))
	if err != nil {
		return err
	}
	defer log.Close()
	java := exec.CommandContext(context.WithoutCancel(ctx), "java", args...) // it is to outlive this command
	java.Stdout, java.Stderr = log, log
	detach(java)
	if err := java.Start(); err != nil {
		return err
	}
	s.PID = java.Process.Pid
	go func() { _ = java.Wait() }() // so that one that ended early is not taken for running
	return s.save(root)
}

// owns says whether the noted process is still the server, and not another that got its number.
func (s *Server) owns(ctx context.Context) bool {
	output, err := exec.CommandContext(ctx, "ps", "-o", "command=", "-p", strconv.Itoa(s.PID)).Output()
	return err == nil && s.Directory != "" && strings.Contains(string(output), s.Directory)
}
