package testneo4j

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

const image = "neo4j:" + Version + "-community"

// startContainer runs the server in Docker. The port is the same inside and outside, because a driver
// that routes connects to the address that the server advertises.
func (s *Server) startContainer(ctx context.Context, root, port string, progress io.Writer) error {
	s.Container = fmt.Sprintf("mneme-test-neo4j-%s", port)
	if err := s.save(root); err != nil {
		return err
	}
	printProgress(progress, "Starting %s in Docker", image)
	command := exec.CommandContext(ctx, "docker", "run", "--detach", "--name", s.Container,
		"--publish", fmt.Sprintf("127.0.0.1:%s:%s", port, port),
		"--env", "NEO4J_AUTH="+s.User+"/"+s.Password,
		"--env", fmt.Sprintf("NEO4J_server_bolt_listen__address=0.0.0.0:%s", port),
		"--env", fmt.Sprintf("NEO4J_server_bolt_advertised__address=127.0.0.1:%s", port),
		"--env", "NEO4J_server_memory_heap_initial__size=512m",
		"--env", "NEO4J_server_memory_heap_max__size=1280m",
		"--env", "NEO4J_server_memory_pagecache_size=512m",
		"--env", "NEO4J_db_memory_transaction_max=64m",
		"--env", "NEO4J_dbms_cypher_render__plan__description=true",
		image)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("docker run %s: %w\n%s", image, err, output)
	}
	return nil
}

func containerRuns(ctx context.Context, name string) bool {
	output, err := exec.CommandContext(ctx, "docker", "inspect", "--format", "{{.State.Running}}", name).Output()
	return err == nil && strings.TrimSpace(string(output)) == "true"
}

func containerLog(ctx context.Context, name string) string {
	output, err := exec.CommandContext(ctx, "docker", "logs", "--tail", "20", name).CombinedOutput()
	if err != nil {
		return ""
	}
	return string(output)
}

// removeContainer removes the container with its data; one that is gone already is fine.
func removeContainer(ctx context.Context, name string) error {
	output, err := exec.CommandContext(ctx, "docker", "rm", "--force", "--volumes", name).CombinedOutput()
	if err != nil && !strings.Contains(string(output), "No such container") {
		return fmt.Errorf("docker rm %s: %w\n%s", name, err, output)
	}
	return nil
}
