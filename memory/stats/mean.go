package stats

// PlainMean is a mean of what is defined.
type PlainMean struct {
	Sum   float64
	Count int
}

// Add takes in a value, where there is one.
func (m *PlainMean) Add(value *float64) {
	if value != nil {
		m.Sum += *value
		m.Count++
	}
}

// Mean is nil where nothing was added, and rounded.
func (m PlainMean) Mean() *float64 {
	mean := Mean(m.Sum, m.Count)
	if mean != nil {
		*mean = Rounded(*mean)
	}
	return mean
}

// WeightedMean is a mean in which values have weights.
type WeightedMean struct{ sum, weight float64 }

// Add takes in a value with its weight.
func (m *WeightedMean) Add(value, weight float64) {
	m.sum += value * weight
	m.weight += weight
}

// Mean is nil where nothing was added. It is rounded, so that equal values have that value as their
// mean whatever their weights, and equal means tie.
func (m WeightedMean) Mean() *float64 {
	if m.weight == 0 {
		return nil
	}
	return new(Rounded(m.sum / m.weight))
}
