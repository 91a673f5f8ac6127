package otlp

import (
	"errors"
	"strconv"
	"time"
)

// What a request may hold. A body of a few bytes may unpack to many, and an empty span of two bytes is 300 when
// it is decoded: so all is counted in what was sent before any of it is built.
const (
	// maxBody is the most bytes of a request, before and after they are unpacked.
	maxBody = 16 << 20
	// maxParts is how many resources, scopes and spans together.
	maxParts = 32_768
	// maxElements is how many elements together: attributes, values, events, links and what else is a message
	// or an item of a list.
	maxElements = 1_000_000
	// maxSpanElements is how many of them are of one span, resource or scope, which are decoded one by one.
	maxSpanElements = 20_000
	// maxNesting is how deep messages may lie in one another; each level of a value takes two or three.
	maxNesting = 1000
	// maxTime is what a request may take once its body is here.
	maxTime = 30 * time.Second
)

const (
	// workOfByte is the most that a byte of a body becomes: of 46 bytes, the least of a span with its ids and
	// times, about 1,000. maxWork is that of the largest request, since the number of spans is bounded.
	workOfByte = 28
	maxWork    = 2*maxBody + maxParts<<10 + maxSpanElements*200
)

// workOf is how much memory a request of so many bytes takes at most, by estimate.
func workOf(bytes int64) int64 { return min(bytes*workOfByte, maxWork) }

// Why a message is not decoded. Their texts are for those who sent it.
var (
	errMalformed = errors.New("the body is not an ExportTraceServiceRequest of OTLP")
	errTooMany   = errors.New("the request holds more than " + strconv.Itoa(maxParts) + " resources, scopes and spans or more than " +
		strconv.Itoa(maxElements) + " attributes, values, events and links; send fewer spans at a time")
	errTooLarge = errors.New("a span, resource or scope may hold at most " + strconv.Itoa(maxSpanElements) +
		" attributes, values, events and links, in at most " + strconv.Itoa(maxNesting) + " levels")
)
