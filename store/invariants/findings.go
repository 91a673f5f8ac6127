package invariants

import (
	"fmt"
	"strings"

	"mneme/store"
)

// maxTold is how many of a kind a finding names.
const maxTold = 20

// Unreadable is what is found of records, of which some cannot be read and others can.
func Unreadable(found []*store.Damaged, others int) store.Finding {
	finding := store.Finding{Found: fmt.Sprintf("%d can be read", others)}
	if len(found) > 0 {
		for _, damaged := range found {
			finding.Unreadable = append(finding.Unreadable, damaged.ID())
		}
		finding.Fault = fmt.Sprintf("%d cannot be read, and are left out of answers and exports: %s", len(found), named(finding.Unreadable, ", "))
		finding.Remedy = "Restore a backup, or delete them one by one: mneme forget --unreadable " + finding.Unreadable[0]
	}
	return finding
}

func named(all []string, separator string) string {
	if len(all) > maxTold {
		return strings.Join(all[:maxTold], separator) + separator + "…"
	}
	return strings.Join(all, separator)
}

// InvalidLength is a length of vectors that is fixed and can be none.
const InvalidLength = -1

// Settings is what is found of what a tenant keeps once: whether the input key is lost, and the length of vectors, by
// the name of its setting, that was fixed (0 for none, or InvalidLength) and that the embeddings have.
func Settings(lost *store.Damaged, setting string, fixed, length int) store.Finding {
	finding := store.Finding{Found: "can be read"}
	if lost != nil {
		finding = store.Finding{
			Unreadable: []string{lost.ID()},
			Fault: "the setting " + lost.Key + " is gone or cannot be read, and new records are refused. With another key, records sent again are refused as conflicts, " +
				"imports bring back what was forgotten, and earlier exports can be imported only where there are no records",
			Remedy: "Restore a backup, which has the key. Without one, make another key and restart the servers: mneme forget --unreadable " + lost.ID(),
		}
	}
	if fixed != length {
		fault := fmt.Sprintf("the setting %s is %d (0 where it is gone or cannot be read), and the embeddings have %d numbers", setting, max(0, fixed), length)
		if lost != nil {
			fault, finding.Remedy = finding.Fault+"; "+fault, finding.Remedy+"\n"
		}
		finding.Found, finding.Fault, finding.Remedy = "", fault, finding.Remedy+store.RemedyRebuild
	}
	return finding
}

// Traces is what is found of the traces that are held, of which some failed many times.
func Traces(held int, failing []string) store.Finding {
	finding := store.Finding{Found: fmt.Sprintf("%d traces are held", held)}
	if len(failing) > 0 {
		finding.Fault = fmt.Sprintf("%d traces cannot be made episodes: %s", len(failing), named(failing, "; "))
		finding.Remedy = "A server tries again later; at once after: mneme rebuild\nTo give one up: mneme forget --trace ID"
	}
	return finding
}
