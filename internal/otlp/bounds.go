package otlp

import (
	"errors"
	"fmt"
	"time"
)

// What a request may hold. A body of a few bytes may unpack to many, and an empty span of two bytes is 300 when
// it is decoded: so all is counted in what was sent before any of it is built.
const (
	// maxBody is the most bytes of a request, before and after they are unpacked.
	maxBody = 16 << 20
	// maxSpans is how many spans; each counts as spanElements, since it takes about 2,000 bytes when it is read.
	maxSpans     = 32_768
	spanElements = 16
	// maxElements is how many elements together: resources, scopes, spans, attributes, values, events, links and what else
	// is a message or an item of a list. JSON is bound by its weight instead, see inbound.Weigh.
	maxElements = maxSpans * spanElements
	// maxNesting is how deep messages may lie in one another; each level of a value takes two or three.
	maxNesting = 1000
	// maxTime is what a request may take once its body is here.
	maxTime = 30 * time.Second
)

const (
	// workOfByte is the most that a byte of a body becomes: of 46 bytes, the least of a span with its ids and
	// times, about 1,000. maxWork is that of the largest request, since the number of elements is bounded.
	workOfByte = 28
	maxWork    = 2*maxBody + maxElements<<7
)

// workOf is how much memory a request of so many bytes takes at most, by estimate.
func workOf(bytes int64) int64 { return min(bytes*workOfByte, maxWork) }

// Why a message is not decoded. Their texts are for those who sent it.
var (
	errMalformed = errors.New("the body is not an ExportTraceServiceRequest of OTLP")
	errTooMany   = fmt.Errorf("the request holds more than %d spans, or %d resources, scopes, spans (as %d each), attributes, values, events and links, "+
		"or %d levels; send fewer spans at a time", maxSpans, maxElements, spanElements, maxNesting)
)
