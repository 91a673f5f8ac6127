package linking

import (
	"bytes"

	"mneme/memory"
	"mneme/store"
)

// Append decides what a part adds to a log: the events that are not there, what the boundary did to these, and how much
// there is then. known are the events under the part's numbers that are there. It is store.EventConflict where one of
// them says otherwise, store.ErrLogEnded where the episode is concluded and something is new, and store.LogTooLong.
func Append(log *store.Log, known map[int]memory.Event, part *store.LogPart) (fresh []store.LoggedEvent, receipt memory.Receipt, err error) {
	receipt.Redactions = []memory.Redaction{}
	for _, event := range part.Events {
		if there, ok := known[event.Sequence]; ok {
			if there.Type != event.Type || !there.At.Equal(event.At) || !bytes.Equal(there.Data, event.Data) {
				return nil, receipt, &store.EventConflict{Sequence: event.Sequence}
			}
			continue
		}
		if log.Concluded && !part.Kept {
			return nil, receipt, store.ErrLogEnded
		}
		known[event.Sequence] = event.Event
		fresh, receipt = append(fresh, event), receipt.Plus(event.Receipt)
		log.Events, log.Bytes = log.Events+1, log.Bytes+event.Size()
		if event.Sequence > log.Last {
			log.Last, log.LastType = event.Sequence, event.Type
		}
	}
	if log.Events > store.MaxLogEvents || log.Bytes > store.MaxLogBytes {
		return nil, receipt, &store.LogTooLong{Events: log.Events, Bytes: log.Bytes}
	}
	log.Added = len(fresh)
	return fresh, receipt, nil
}
