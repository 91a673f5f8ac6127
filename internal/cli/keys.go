package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/keyring"
)

// ofKeys is configured for a command that works on the keys of all tenants.
func (p *program) ofKeys(
	command *cobra.Command, open opener, use func(ctx context.Context, memory *app.Memory, args []string) error,
) *cobra.Command {
	p.storeFlags(command)
	return p.configured(command, func(command *cobra.Command, args []string) error {
		return p.opened(command.Context(), open, func(ctx context.Context, memory *app.Memory) error { return use(ctx, memory, args) })
	})
}

// shownKey is a key as it is listed.
type shownKey struct {
	access.Key
	State string `json:"state"`
	// Secret is the key itself, at its making only.
	Secret string `json:"key,omitempty"`
}

func shown(key access.Key, state access.State, secret string) shownKey {
	return shownKey{key, strings.ToLower(string(state)), secret}
}

func (p *program) createKeyCommand() *cobra.Command {
	input := keyring.CreateInput{Tenant: service.DefaultTenant, Role: access.Reader}
	command := p.ofKeys(&cobra.Command{
		Use:   "create",
		Short: "Make a key for a tenant, and show it once",
		Long: `Make a key by which somebody uses a server, and show it: only its hash is kept, so nobody can show it again.
It opens the memory of one tenant. A reader asks, a writer records too, an admin deletes, prunes, consolidates and makes
keys of the tenant too. Import, export and backup are for who has the store, as this command is. It works at once, in all servers on this store. A server asks everyone for a key from the first one on.

Send it as Authorization: Bearer <key> or X-API-Key: <key>.`,
		Example: "  mneme keys create --role writer --name 'support bot'\n  mneme keys create --tenant acme --role admin --expires 90d",
	}, app.Open, func(ctx context.Context, memory *app.Memory, _ []string) error {
		created, err := memory.Keys.Create(ctx, input)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.Err, "A key of %s of tenant %s%s. It is shown this once.\n", holder(created.Role), created.Tenant, until(created.ExpiresAt))
		if created.Warning != "" {
			fmt.Fprintln(p.Err, "Note: "+created.Warning+".")
		}
		return p.says(shown(created.Key, access.Good, created.Secret), "%s", created.Secret) // and nothing else, for a file
	})
	command.Flags().Var(tenantFlag(&input.Tenant), "tenant", "whose memory it opens; a new one begins empty")
	command.Flags().Var(&flagValue{kind: "text", text: "reader", set: func(text string) (err error) {
		input.Role, err = access.ParseRole(text)
		return err
	}}, "role", "reader, writer or admin")
	command.Flags().Var(expiryFlag(&input.ExpiresAt), "expires", "when it ends: in so many days (90d) or hours (12h), or at a time; never without")
	command.Flags().StringVar(&input.Name, "name", "", "what it is for, for people")
	command.Flags().Var(textFlag(&input.UserID), "user", "for whom alone it is: of other users it sees and changes nothing")
	return command
}

// holder says whose key it is.
func holder(role access.Role) string {
	if role == access.Admin {
		return "an admin"
	}
	return "a " + strings.ToLower(string(role))
}

func until(end *time.Time) string {
	if end == nil {
		return ""
	}
	return ", until " + end.Format(time.RFC3339)
}

// keyList is what keys list answers in JSON.
type keyList struct {
	Keys []shownKey `json:"keys"`
}

func (p *program) listKeysCommand() *cobra.Command {
	var tenant *string
	command := p.ofKeys(&cobra.Command{
		Use:     "list",
		Short:   "List the keys that were made, not the keys themselves",
		Example: "  mneme keys list\n  mneme keys list --tenant acme --json",
	}, app.OpenExisting, func(ctx context.Context, opened *app.Memory, _ []string) error {
		keys, err := opened.Keys.List(ctx, tenant)
		if err != nil {
			return err
		}
		list := memory.Mapped(keys, func(key access.Key) shownKey { return shown(key, opened.Keys.State(&key), "") })
		return p.answer(keyList{list}, func(w io.Writer) { printKeys(w, list) })
	})
	command.Flags().Var(parsed("text", &tenant, func(text string) (string, error) { return text, service.CheckTenant(text) }), "tenant", "only those of this tenant")
	return command
}

func printKeys(w io.Writer, keys []shownKey) {
	if len(keys) == 0 {
		fmt.Fprintln(w, "No keys. mneme keys create makes one.")
		return
	}
	heading := []string{"KEY", "TENANT", "ROLE", "STATE", "MADE", "ENDS", "NAME", "USER"}
	if !slices.ContainsFunc(keys, func(key shownKey) bool { return key.User != "" }) {
		heading = heading[:7] // the names need the room
	}
	table(w, heading, keys, func(key shownKey) []string {
		ends := "never"
		if key.ExpiresAt != nil {
			ends = key.ExpiresAt.Format("2006-01-02 15:04")
		}
		return []string{
			key.Prefix, key.Tenant, strings.ToLower(string(key.Role)), key.State, key.CreatedAt.Format(time.DateOnly), ends,
			oneLine(key.Name, 200), oneLine(key.User, 40),
		}[:len(heading)]
	})
}

func (p *program) revokeKeyCommand() *cobra.Command {
	return p.ofKeys(&cobra.Command{
		Use:     "revoke PREFIX",
		Short:   "End a key at once, in all servers",
		Long:    "End a key by the beginning of it, as mneme keys list shows it; at once, in all servers on this store, and\nfor a subscription that is open within 15 seconds. It stays listed, and cannot be brought back.",
		Example: "  mneme keys revoke mneme_k3x7q2aa",
		Args:    cobra.MatchAll(cobra.ExactArgs(1), notEmpty),
	}, app.OpenExisting, func(ctx context.Context, memory *app.Memory, args []string) error {
		key, err := memory.Keys.Revoke(ctx, args[0], nil)
		if err != nil {
			return err
		}
		said := "is revoked"
		if key.Already {
			said = "was revoked already, at " + key.RevokedAt.Format(time.RFC3339)
		}
		return p.says(shown(key.Key, access.Revoked, ""), "%s, of %s of tenant %s, %s.", key.Prefix, holder(key.Role), key.Tenant, said)
	})
}

func (p *program) resetKeysCommand() *cobra.Command {
	var yes bool
	command := p.ofKeys(&cobra.Command{
		Use:   "reset",
		Short: "Discard all keys, where those that there were are lost or damaged",
		Long: `Discard all keys of all tenants, and that there were any. A server whose keys are gone or cannot be read lets nobody in: put
those of a backup back, or discard them and make new ones. In between, who asks a server at a loopback address is
an admin of tenant default. MNEME_API_KEY and tokens of an issuer go on.`,
		Example: "  mneme keys reset --yes && mneme keys create --role admin",
	}, app.OpenExisting, func(ctx context.Context, memory *app.Memory, _ []string) error {
		if err := p.sure(ctx, yes, "All keys of "+memory.Describe()+" end for good. A server at a loopback address needs none until there is another."); err != nil {
			return err
		}
		if err := memory.Keys.Reset(ctx); err != nil {
			return err
		}
		return p.says(keyList{Keys: []shownKey{}}, "%s", "There are no keys any more. mneme keys create makes one.")
	})
	command.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return command
}
