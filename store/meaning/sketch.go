package meaning

import (
	"math"
	"math/bits"
)

// A Sketch is a direction in 256 bits and a byte: each number is one of the four −10, −3, 3 and 10, in about the proportions that lose
// least of numbers that are normally distributed (Max 1960). By it is told about how near a code is that is not at hand.
type Sketch struct {
	Signs Signature
	// Sizes has bit j%64 of number j/64 where number j of the code is large.
	Sizes Signature
	// Fit is how near the sketch is to its code, their cosine: 255 for 1. That of a random direction is about 240; of the zero code it
	// is 0.
	Fit uint8
}

const (
	small, large = 3, 10
	// leastLarge is from where on a number is large, in parts of the root of the mean square.
	leastLarge = 0.98
)

// Sketch is that of a code.
func (c *Code) Sketch() (s Sketch) {
	length := c.Length()
	if length == 0 {
		return s
	}
	least := int(leastLarge * length / math.Sqrt(Dimensions)) // whole numbers beyond it are beyond its whole part
	all, larger := 0, 0
	for half := range s.Signs {
		var signs, sizes uint64
		for j, x := range c[64*half : 64*(half+1)] { // without branches, which would be foreseen half of the time
			number := int(x)
			size := max(number, -number)
			isLarge := uint64(least-size) >> 63
			signs |= uint64(-number) >> 63 << j
			sizes |= isLarge << j
			all, larger = all+size, larger+size*int(isLarge)
		}
		s.Signs[half], s.Sizes[half] = signs, sizes
	}
	s.Fit = uint8(math.Round(255 * float64(small*all+(large-small)*larger) / (length * s.length())))
	return s
}

// length is that of the sketch's numbers in space.
func (s *Sketch) length() float64 {
	larger := bits.OnesCount64(s.Sizes[0]) + bits.OnesCount64(s.Sizes[1])
	return math.Sqrt(float64(larger*large*large + (Dimensions-larger)*small*small))
}

// together is how many numbers of a sketch are looked up at a time.
const together = 4

// Guess tells by sketches how near codes are to a direction.
type Guess struct {
	// products has, of every few numbers of a sketch and by their signs and sizes, their part of the product with the code.
	products [Dimensions / together][1 << (2 * together)]int16
	length   float64
}

// Guess is that for a code's direction.
func (c *Code) Guess() *Guess {
	g := &Guess{length: c.Length()}
	for part := range g.products {
		for pattern := range g.products[part] {
			product := 0
			for k, x := range c[part*together : (part+1)*together] {
				number := small
				if pattern>>(together+k)&1 == 1 {
					number = large
				}
				if pattern>>k&1 == 0 {
					number = -number
				}
				product += number * int(x)
			}
			g.products[part][pattern] = int16(product) // at most 4 · 10 · 127
		}
	}
	return g
}

// Cosine is about how near the code of a sketch is to the direction, from −1 to 1, and the standard deviation of the error where
// directions are random (Gao and Long 2024, RaBitQ): a quarter of that of a cosine told from the Distance of two signatures.
func (g *Guess) Cosine(s Sketch) (cosine, deviation float64) {
	if s.Fit == 0 || g.length == 0 {
		return 0, 0
	}
	const mask, half = 1<<together - 1, Dimensions / together / 2
	var product [2]int // two sums do not wait for one another
	lowSigns, lowSizes, highSigns, highSizes := s.Signs[0], s.Sizes[0], s.Signs[1], s.Sizes[1]
	for part := range half {
		product[0] += int(g.products[part][lowSigns&mask|lowSizes&mask<<together])
		product[1] += int(g.products[half+part][highSigns&mask|highSizes&mask<<together])
		lowSigns, lowSizes, highSigns, highSizes = lowSigns>>together, lowSizes>>together, highSigns>>together, highSizes>>together
	}
	fit := float64(s.Fit) / 255
	cosine = max(-1, min(1, float64(product[0]+product[1])/(g.length*s.length()*fit)))
	return cosine, math.Sqrt((1-fit*fit)*(1-cosine*cosine)/(Dimensions-1)) / fit
}
