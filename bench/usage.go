package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// usage is what a process has taken.
type usage struct {
	processor time.Duration
	now, most int64 // bytes of memory; most since the last look
}

// spent reads what the process has taken from /proc, and begins anew to look for the most memory.
func (p *process) spent() (u usage, err error) {
	dir := fmt.Sprintf("/proc/%d/", p.command.Process.Pid)
	stat, err := os.ReadFile(dir + "stat")
	if err != nil {
		return u, err
	}
	// The name of the program may hold blanks; after its bracket come the state and eleven numbers before the times.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	for _, field := range fields[11:13] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return u, err
		}
		u.processor += time.Duration(ticks) * (time.Second / 100)
	}
	memory, err := p.memory()
	if err != nil {
		return u, err
	}
	u.now, u.most = memory.now, memory.most
	return u, os.WriteFile(dir+"clear_refs", []byte("5"), 0)
}

// memory reads what memory the process has.
func (p *process) memory() (u usage, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); n == 1 {
			u.most = kilobytes << 10
		}
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kilobytes); n == 1 {
			u.now = kilobytes << 10
		}
	}
	if u.now == 0 {
		return u, fmt.Errorf("process %d says nothing of its memory", p.command.Process.Pid)
	}
	return u, nil
}
