//go:build !unix

package main

import "time"

func busy() time.Duration { return 0 }
