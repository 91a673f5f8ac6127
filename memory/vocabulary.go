package memory

import "slices"

// Valid says whether the word is one of the closed set.
func (o Outcome) Valid() bool {
	return slices.Contains([]Outcome{OutcomeSuccess, OutcomeFailure, OutcomeUnknown}, o)
}

// Valid says whether the word is one of the closed set.
func (k CanvasActionKind) Valid() bool {
	return slices.Contains([]CanvasActionKind{CanvasPresent, CanvasClose, CanvasSubmit, CanvasUpdate, CanvasExecute}, k)
}

// Valid says whether the word is one of the closed set.
func (t FeedbackType) Valid() bool {
	return slices.Contains([]FeedbackType{FeedbackThumbsUp, FeedbackThumbsDown, FeedbackRating}, t)
}

// Valid says whether the word is one of the closed set.
func (s FeedbackSource) Valid() bool {
	return slices.Contains([]FeedbackSource{SourceChat, SourceCanvas, SourceWorkflow}, s)
}
