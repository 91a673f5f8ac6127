//go:build unix

package main

import (
	"syscall"
	"time"
)

// busy is how much processor time this process has taken. It says what work takes on a machine that others share.
func busy() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
