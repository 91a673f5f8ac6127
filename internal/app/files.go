package app

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// readNow reads a file that a configuration names, or as much of it as is wanted. It does not wait for somebody to
// write to a named pipe, or a start would hang without a word. Its errors are *os.PathError.
func readNow(path string, most int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	read, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil || len(read) > 0 {
		return read, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		return nil, &os.PathError{Op: "read", Path: path, Err: errors.New("it is a pipe that nobody writes to")}
	}
	return nil, err
}
