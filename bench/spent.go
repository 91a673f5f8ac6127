//go:build !windows

package main

import (
	"syscall"
	"time"
)

// spentTime is the processor's time that this process has taken so far.
func spentTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
