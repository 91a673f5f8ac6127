package inbound

// Silent is how many connections keep the server waiting now.
func (c *Connections) Silent() (silent int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.open {
		if conn.writing.Load() > 0 || conn.comes.Load() && conn.reading.Load() > 0 {
			silent++
		}
	}
	return silent
}
