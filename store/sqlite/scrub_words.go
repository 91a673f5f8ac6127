package sqlite

func (s *scrubbing) mergeWords(*conn) error {
	s.merge = false
	return nil
}
