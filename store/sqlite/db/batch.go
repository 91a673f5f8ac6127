package db

// batch is what the layers above keep with a write of many records: what they put off until the last of them, and what
// they ask only once. It is lost with the write, where that fails.
type batch struct{ parts []any }

// Together runs a write of many records, and after it what was put off.
func (c *Conn) Together(write func(*Conn) error, finish ...func(*Conn) error) error {
	c.batch = &batch{}
	defer func() { c.batch = nil }() // also when a panic goes through
	if err := write(c); err != nil {
		return err
	}
	for _, step := range finish {
		if err := step(c); err != nil {
			return err
		}
	}
	return nil
}

// Part is what is kept with the write of many records that is under way, of a type of the layer that asks; nil where
// none is.
func Part[T any](c *Conn) *T {
	if c.batch == nil {
		return nil
	}
	for _, part := range c.batch.parts {
		if found, is := part.(*T); is {
			return found
		}
	}
	part := new(T)
	c.batch.parts = append(c.batch.parts, part)
	return part
}

// AskOnce says whether a query has a row, the first time by asking.
func (c *Conn) AskOnce(known **bool, sql string) (bool, error) {
	if *known == nil {
		has, err := c.One(sql, func(*Row) {})
		if err != nil {
			return false, err
		}
		*known = &has
	}
	return **known, nil
}
