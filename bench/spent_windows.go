package main

import "time"

// spentTime is not measured here.
func spentTime() time.Duration { return 0 }
