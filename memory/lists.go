package memory

// Mapped is what becomes of each of a list, in its order; never nil.
func Mapped[From, To any](list []From, become func(From) To) []To {
	mapped := make([]To, len(list))
	for i, item := range list {
		mapped[i] = become(item)
	}
	return mapped
}
