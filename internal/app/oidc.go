package app

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"mneme/internal/auth"
	"mneme/memory/access"
)

func setAlgorithms(c *Config, value string) error {
	c.OIDC.Algorithms = nil
	for word := range strings.SplitSeq(value, ",") {
		word = strings.TrimSpace(word)
		if !slices.Contains(auth.Algorithms, word) {
			return fmt.Errorf("must be of %s, with commas between them", strings.Join(auth.Algorithms, ", "))
		}
		c.OIDC.Algorithms = append(c.OIDC.Algorithms, word)
	}
	return nil
}

func setOIDCRoles(c *Config, value string) error {
	c.OIDC.Roles = map[string]access.Role{}
	for pair := range strings.SplitSeq(value, ",") {
		name, word, found := strings.Cut(strings.TrimSpace(pair), "=")
		role, err := access.ParseRole(word)
		if !found || name == "" || err != nil {
			return fmt.Errorf("must be names with a role each, such as staff=writer,ops=admin")
		}
		c.OIDC.Roles[name] = role
	}
	return nil
}

// checkOIDC refuses an issuer of which parts are missing, or that anybody between could stand in for.
func (c Config) checkOIDC() error {
	o := c.OIDC
	address, err := url.Parse(o.Issuer)
	switch {
	case o.Issuer == "" && !reflect.DeepEqual(o, auth.TokenOptions{}):
		return misuse("tokens are described, and no issuer of them is named", "Set MNEME_OIDC_ISSUER, or none of the MNEME_OIDC_ variables.")
	case o.Issuer == "":
		return nil
	case err != nil || address.Host == "" || address.User != nil || address.RawQuery != "" || address.Fragment != "":
		return misuse("MNEME_OIDC_ISSUER is no URL of an issuer", "Write it as the provider does, such as https://login.example.com/realms/staff.")
	case address.Scheme != "https" && !(address.Scheme == "http" && auth.IsLoopback(address.Host)):
		return misuse("MNEME_OIDC_ISSUER is not reached by https", "Use its https address: whoever is between could hand out keys of their own.")
	case o.Audience == "":
		return misuse("MNEME_OIDC_AUDIENCE is missing", "Set it to what tokens for this server are issued for: otherwise those for other servers would open it.")
	}
	return nil
}
