package inbound

// Spare is how many connections can make room for others now.
func (c *Connections) Spare() (spare int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for place := c.all.Front(); place != nil; place = place.Next() {
		if conn, _ := place.Value.(*connection); conn.spare(c.now()) {
			spare++
		}
	}
	return spare
}

// What tests compare: the pattern, and the quick look for it.
var (
	LenientTime        = lenientTime
	MayHoldLenientTime = mayHoldLenientTime
)
