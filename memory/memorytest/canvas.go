package memorytest

import "mneme/memory"

// Action is a canvas action at a second.
func Action(kind memory.CanvasActionKind, second float64, metadata ...string) memory.CanvasAction {
	a := memory.CanvasAction{Action: kind, At: Seconds(second)}
	if len(metadata) > 0 {
		a.Metadata = memory.JSON(metadata[0])
	}
	return a
}

// Canvas is one of a type with its actions; the type is its key, too.
func Canvas(canvasType string, actions ...memory.CanvasAction) *memory.Canvas {
	return &memory.Canvas{Key: canvasType, CanvasType: canvasType, Actions: actions}
}

// The short names of the canvas actions, for tables.
const (
	Present = memory.CanvasPresent
	Closed  = memory.CanvasClose
	Submit  = memory.CanvasSubmit
	Update  = memory.CanvasUpdate
	Execute = memory.CanvasExecute
)

// Rules are the default ones, for tests that change none.
var Rules = memory.DefaultCanvasRules()
