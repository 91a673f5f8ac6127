package memory

// Mapped is what becomes of each of a list, in its order; never nil.
func Mapped[From, To any](list []From, become func(From) To) []To {
	mapped := make([]To, len(list))
	for i, item := range list {
		mapped[i] = become(item)
	}
	return mapped
}

// Distinct are values in the order in which they came, each once; never nil.
func Distinct[T comparable](values []T) []T {
	seen := make(map[T]bool, len(values))
	kept := []T{}
	for _, value := range values {
		if !seen[value] {
			seen[value] = true
			kept = append(kept, value)
		}
	}
	return kept
}

// OrEmpty is a list that is never nil.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// OrZero is a value that may not be there, or the zero value.
func OrZero[T any](optional *T) T {
	var zero T
	return ValueOr(optional, zero)
}

// ValueOr is a value that may not be there, or what holds otherwise.
func ValueOr[T any](optional *T, otherwise T) T {
	if optional != nil {
		return *optional
	}
	return otherwise
}
