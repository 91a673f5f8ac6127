//go:build !unix

package testneo4j

import "os/exec"

func detach(*exec.Cmd) {}
