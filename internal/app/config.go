package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mneme/internal/auth"
	"mneme/internal/budget"
	"mneme/internal/gqlhttp"
	"mneme/internal/inbound"
	"mneme/internal/mcpserver"
	"mneme/internal/openai"
	"mneme/internal/telemetry"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/compaction"
	"mneme/memory/decay"
	"mneme/service/keyring"
)

// Config is all that an operator decides.
type Config struct {
	// Data is the directory of the embedded store.
	Data string
	// Listen is the address to serve at, host:port; port 0 takes a free one.
	Listen string
	// Store is "sqlite", or the URL of a Neo4j (neo4j://host:7687).
	Store string
	Neo4j Neo4jLogin
	// APIKey is the key of an admin of the default tenant. Where it is empty and no other key was made, this machine only
	// is served, without one.
	APIKey string
	// Insecure accepts a short key beyond this machine.
	Insecure bool
	// RequestsPerKey is how many requests a second one key may make; 0 takes the usual.
	RequestsPerKey int
	// OIDC says whose tokens are taken besides keys; without an Issuer none are.
	OIDC auth.TokenOptions
	// Connections say how many there may be, in all and of one client.
	Connections inbound.Most
	// Proxies are trusted to name the clients whose requests they pass on.
	Proxies inbound.Proxies
	// Origins are those of web pages elsewhere that may ask this server (see auth.ParseOrigins); none but its own.
	Origins []string
	// TrustedDocuments names a file of the only GraphQL documents that are answered, beside those of the pages; empty
	// for any.
	TrustedDocuments string
	// Vectors say what texts are compared by besides their words: BuiltIn, Off or FromEndpoint; empty is the last where
	// the Embedder has a URL, else BuiltIn.
	Vectors string
	// Embedder says where embeddings come from; with an empty URL there are none but the callers' own.
	Embedder openai.Options
	// Model says which model writes insights; with an empty URL they are written by rule.
	Model openai.Options
	// MaxMemory is how many bytes all requests may take together, see package budget; 0 takes the usual.
	MaxMemory int64
	// Compaction is how far prose is shortened before it is kept.
	Compaction compaction.Level
	// Decay is the policy by which observations lose weight.
	Decay decay.Policy
	// Consolidation is after how long a memory that nobody uses is consolidated again; 0 is never.
	Consolidation time.Duration
	// Traces say when a trace counts as complete.
	Traces capture.TraceWaits
	// Tools are those that agents are told of: mcpserver.AllTools or CoreTools.
	Tools string
	// CanvasIntegration lets canvases and feedback take part in recalls.
	CanvasIntegration bool
	// CanvasRules say what canvases tell of people, and what that is worth; nil are the usual ones.
	CanvasRules *memory.CanvasRules
	LogLevel    slog.Level
	// LogFormat is Text or JSON.
	LogFormat string
	// Signals say what is sent out.
	Signals telemetry.Out
	// gatherPeriod is how often it is looked what waits, for tests; the usual where it is 0.
	gatherPeriod time.Duration
	// Version is what the build calls itself, for clients to show.
	Version string
	// live are the times of subscriptions, for tests; zero for the usual.
	live gqlhttp.LiveTimes
	// clock is what records are dated by, for tests; nil is the machine's.
	clock func() time.Time
}

// Neo4jLogin is the user, password and database of a Neo4j.
type Neo4jLogin struct {
	User, Password string
	Database       string // empty is the user's home database
}

// What texts can be compared by besides their words.
const (
	// BuiltIn are the vectors that the store makes of all records (see store.Store).
	BuiltIn = "built-in"
	// Off are none but the callers' own.
	Off = "off"
	// FromEndpoint are those of an embedder, of episodes, beside the built-in ones.
	FromEndpoint = "endpoint"
)

// SQLite is the Store of the embedded database.
const SQLite = "sqlite"

// DefaultConfig needs nothing installed and serves this machine only.
func DefaultConfig() Config {
	return Config{
		Data: "mneme-data", Listen: "127.0.0.1:8080", Store: SQLite,
		Neo4j: Neo4jLogin{User: "neo4j"}, Connections: inbound.Most{InAll: 1024, PerClient: 128},
		Compaction: compaction.Lite, Decay: decay.UseFades, Consolidation: 24 * time.Hour,
		Traces: capture.DefaultTraceWaits(), Tools: mcpserver.AllTools, CanvasIntegration: true, LogLevel: slog.LevelInfo, LogFormat: Text,
	}
}

// How the log is written.
const (
	Text = "text"
	JSON = "json"
)

// Variable is an environment variable that sets a part of a Config.
type Variable struct {
	Name, Meaning string
	set           func(*Config, string) error
}

// Variables lists all of them. An empty variable is as good as none.
var Variables = []Variable{
	{"MNEME_DATA", "directory of the embedded store", text(func(c *Config) *string { return &c.Data })},
	{"MNEME_LISTEN", "address to serve at", text(func(c *Config) *string { return &c.Listen })},
	{"MNEME_STORE", "sqlite, or the URL of a Neo4j", text(func(c *Config) *string { return &c.Store })},
	{"MNEME_NEO4J_USER", "user of the Neo4j (neo4j)", text(func(c *Config) *string { return &c.Neo4j.User })},
	{"MNEME_NEO4J_PASSWORD", "its password", text(func(c *Config) *string { return &c.Neo4j.Password })},
	{"MNEME_NEO4J_DATABASE", "its database (the user's home)", text(func(c *Config) *string { return &c.Neo4j.Database })},
	{"MNEME_API_KEY", "key of an admin of the tenant default, beside those of mneme keys; beyond this machine there must be one", text(func(c *Config) *string { return &c.APIKey })},
	{"MNEME_INSECURE", "true lets a key of less than 16 characters do beyond this machine", flag(func(c *Config) *bool { return &c.Insecure })},
	{"MNEME_REQUESTS_PER_KEY", "requests that one key may make in a second, on average (500)", number(func(c *Config) *int { return &c.RequestsPerKey }, "500")},
	{"MNEME_OIDC_ISSUER", "URL of an OpenID Connect provider whose JSON Web Tokens are taken besides keys", text(func(c *Config) *string { return &c.OIDC.Issuer })},
	{"MNEME_OIDC_AUDIENCE", "what its tokens must be for", text(func(c *Config) *string { return &c.OIDC.Audience })},
	{"MNEME_OIDC_ALGORITHMS", "what they may be signed with, such as RS256,ES256 (RS256)", setAlgorithms},
	{"MNEME_OIDC_TENANT_CLAIM", "the claim that names the tenant (tenant)", text(func(c *Config) *string { return &c.OIDC.TenantClaim })},
	{"MNEME_OIDC_ROLE_CLAIM", "the claim that names the role, or several (role)", text(func(c *Config) *string { return &c.OIDC.RoleClaim })},
	{"MNEME_OIDC_ROLES", "roles by what the claim calls them, such as staff=writer,ops=admin", setOIDCRoles},
	{"MNEME_MAX_CONNECTIONS", "connections in all (1024)", number(func(c *Config) *int { return &c.Connections.InAll }, "1024")},
	{"MNEME_MAX_CONNECTIONS_PER_CLIENT", "connections, or requests behind a proxy, of one client elsewhere (128)", number(func(c *Config) *int { return &c.Connections.PerClient }, "128")},
	{"MNEME_TRUSTED_PROXIES", "addresses and networks that are believed about whose requests they pass on", set(func(c *Config) *inbound.Proxies { return &c.Proxies }, "addresses or networks, such as 10.0.0.7 or 172.16.0.0/12, with commas between them", inbound.ParseProxies)},
	{"MNEME_ALLOWED_ORIGINS", "origins of web pages elsewhere that may ask this server", (*Config).SetOrigins},
	{"MNEME_TRUSTED_DOCUMENTS", "file of GraphQL documents, in JSON by their hash; no others are answered then", text(func(c *Config) *string { return &c.TrustedDocuments })},
	{"MNEME_EMBEDDER", "built-in, off or endpoint: what compares meanings (built-in; endpoint with a URL)", oneOf(func(c *Config) *string { return &c.Vectors }, "built-in, off or endpoint", BuiltIn, Off, FromEndpoint)},
	{"MNEME_EMBEDDER_URL", "OpenAI-compatible endpoint for embeddings", text(func(c *Config) *string { return &c.Embedder.URL })},
	{"MNEME_EMBEDDER_MODEL", "its model", text(func(c *Config) *string { return &c.Embedder.Model })},
	{"MNEME_EMBEDDER_KEY", "its key", text(func(c *Config) *string { return &c.Embedder.Key })},
	{"MNEME_EMBEDDER_DIM", "length that every embedding must have", number(func(c *Config) *int { return &c.Embedder.Dimensions }, "1536")},
	{"MNEME_MODEL_URL", "OpenAI-compatible endpoint of a chat model, which then writes insights", text(func(c *Config) *string { return &c.Model.URL })},
	{"MNEME_MODEL", "its name", text(func(c *Config) *string { return &c.Model.Model })},
	{"MNEME_MODEL_KEY", "its key", text(func(c *Config) *string { return &c.Model.Key })},
	{"MNEME_MAX_MEMORY", "bytes that all requests may take together; those for which there is none wait (268435456)", set(func(c *Config) *int64 { return &c.MaxMemory }, "a number of bytes, at least 4194304", atLeast(budget.Least, readBytes))},
	{"MNEME_COMPACTION", "off, lite (white space only) or full (a few phrases, too): how prose is shortened (lite)", set(func(c *Config) *compaction.Level { return &c.Compaction }, "off, lite or full", compaction.Parse)},
	{"MNEME_DECAY", "use_fades or time_fades: how observations lose weight (use_fades)", set(func(c *Config) *decay.Policy { return &c.Decay }, "use_fades or time_fades", decay.Parse)},
	{"MNEME_CONSOLIDATE", "after how long a memory that nobody uses is consolidated again, or off (24h)", set(func(c *Config) *time.Duration { return &c.Consolidation }, "a time such as 24h, or off", readConsolidation)},
	{"MNEME_TRACE_QUIET", "how long a trace whose root has arrived waits for more spans (10s)", setWait(func(c *Config) *time.Duration { return &c.Traces.Quiet })},
	{"MNEME_TRACE_SILENCE", "the same for a trace without its root (5m)", setWait(func(c *Config) *time.Duration { return &c.Traces.Silence })},
	{"MNEME_MCP_TOOLS", "all or core: which tools agents are told of over MCP (all)", (*Config).SetTools},
	{"CANVAS_EPISODE_INTEGRATION_ENABLED", "false leaves canvases and feedback out of recalls", flag(func(c *Config) *bool { return &c.CanvasIntegration })},
	{"MNEME_CANVAS_RULES", "file of rules, in TOML, by which canvases are read", setCanvasRules},
	{"MNEME_LOG_LEVEL", "debug, info, warn or error", set(func(c *Config) *slog.Level { return &c.LogLevel }, "debug, info, warn or error", readLevel)},
	{"MNEME_LOG_FORMAT", "text or json (text)", oneOf(func(c *Config) *string { return &c.LogFormat }, "text or json", Text, JSON)},
}

// set sets a field to what a text is read as; must says what the text must be where it cannot be read.
func set[T any](field func(*Config) *T, must string, read func(string) (T, error)) func(*Config, string) error {
	return func(c *Config, text string) error {
		value, err := read(text)
		if err != nil {
			return errors.New("must be " + must)
		}
		*field(c) = value
		return nil
	}
}

func text(field func(*Config) *string) func(*Config, string) error {
	return set(field, "a text", func(text string) (string, error) { return text, nil })
}

func number(field func(*Config) *int, such string) func(*Config, string) error {
	return set(field, "a number above 0, such as "+such, atLeast(1, strconv.Atoi))
}

func flag(field func(*Config) *bool) func(*Config, string) error {
	return set(field, "true or false", func(text string) (bool, error) { return strconv.ParseBool(strings.ToLower(text)) })
}

func readConsolidation(text string) (time.Duration, error) {
	if strings.EqualFold(text, Off) {
		return 0, nil
	}
	return atLeast(1, time.ParseDuration)(text)
}

func setWait(field func(*Config) *time.Duration) func(*Config, string) error {
	return set(field, "a time such as 10s or 5m", atLeast(1, time.ParseDuration))
}

// oneOf takes words in either case.
func oneOf(field func(*Config) *string, must string, words ...string) func(*Config, string) error {
	return set(field, must, func(text string) (string, error) {
		word := strings.ToLower(text)
		if !slices.Contains(words, word) {
			return "", errors.New("unknown")
		}
		return word, nil
	})
}

// atLeast refuses what is less.
func atLeast[T cmp.Ordered](least T, read func(string) (T, error)) func(string) (T, error) {
	return func(text string) (T, error) {
		value, err := read(text)
		if err == nil && value < least {
			err = errors.New("too little")
		}
		return value, err
	}
}

// SetOrigins sets the origins of pages that may ask, with commas between them.
func (c *Config) SetOrigins(value string) error {
	return set(func(c *Config) *[]string { return &c.Origins },
		"origins as browsers send them, such as https://app.example.com or http://localhost:3000, with commas between them", auth.ParseOrigins)(c, value)
}

// SetTools sets the tools that agents are told of, by name.
func (c *Config) SetTools(value string) error {
	return oneOf(func(c *Config) *string { return &c.Tools }, "all or core", mcpserver.AllTools, mcpserver.CoreTools)(c, value)
}

func readBytes(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }

func readLevel(text string) (level slog.Level, err error) {
	err = level.UnmarshalText([]byte(text))
	return level, err
}

// ConfigFromEnv is the default configuration as changed by the variables that lookup finds
// (os.LookupEnv). Its error is a *Problem that names the variable at fault.
func ConfigFromEnv(lookup func(string) (string, bool)) (Config, error) {
	config := DefaultConfig()
	for _, variable := range Variables {
		value, _ := lookup(variable.Name)
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		err := variable.set(&config, value)
		if problem, ok := errors.AsType[*Problem](err); ok {
			return config, problem
		}
		if err != nil {
			return config, misuse(fmt.Sprintf("%s is %q", variable.Name, value), fmt.Sprintf("It %v.", err))
		}
	}
	return config, nil
}

// neo4jSchemes are the URL schemes that the driver knows.
var neo4jSchemes = []string{"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"}

// checkStore refuses a Store that names none, before anything is opened.
func (c Config) checkStore() error {
	if c.Store == SQLite {
		if c.Data == "" {
			return misuse("no data directory is given", "Name one with --data or MNEME_DATA.")
		}
		return nil
	}
	address, err := url.Parse(c.Store)
	switch {
	case err != nil || !slices.Contains(neo4jSchemes, address.Scheme):
		return misuse("there is no store "+shownStore(c.Store),
			"Use --store sqlite for the embedded database, or the URL of a Neo4j such as --store neo4j://localhost:7687.")
	case address.User != nil || strings.Contains(c.Store, "@"):
		return misuse("the URL of the Neo4j holds a user", "Other users of this machine can see it; set MNEME_NEO4J_USER and MNEME_NEO4J_PASSWORD instead.")
	case address.Host == "":
		return misuse("the URL of the Neo4j names no host", "Write it like neo4j://localhost:7687.")
	case strings.TrimSuffix(c.Store, "/") != onlyHost(address):
		return misuse("the URL of the Neo4j goes on behind the host",
			"Write it like neo4j://localhost:7687, and set MNEME_NEO4J_USER, MNEME_NEO4J_PASSWORD and MNEME_NEO4J_DATABASE.")
	}
	return nil
}

// onlyHost is a URL up to where secrets may begin.
func onlyHost(u *url.URL) string { return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String() }

// checkHost refuses a Store without a host: what stands in its place may be a secret, which no message repeats.
func (c Config) checkHost(ctx context.Context) error {
	address, err := url.Parse(c.Store)
	if err != nil {
		return err
	}
	if _, err := net.DefaultResolver.LookupHost(ctx, address.Hostname()); err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return problem(nil, "no host is found by the name in --store "+shownStore(c.Store),
		"Check the address (like neo4j://localhost:7687), or leave --store out to use the embedded database.")
}

// ShownStore names the store without what may be a secret in it.
func (c Config) ShownStore() string {
	if c.Store == SQLite {
		return SQLite
	}
	return shownStore(c.Store)
}

// ShownVectors says what texts are compared by besides their words: BuiltIn, Off or FromEndpoint.
func (c Config) ShownVectors() string {
	switch {
	case c.Vectors != "":
		return c.Vectors
	case c.Embedder.URL != "":
		return FromEndpoint
	}
	return BuiltIn
}

// shownStore repeats of a store that there is not what cannot be a password: the scheme of a URL.
func shownStore(store string) string {
	if scheme, _, isURL := strings.Cut(store, "://"); isURL && urlSchemes.MatchString(scheme) {
		return strconv.Quote(scheme + "://…")
	}
	return "of this name"
}

var urlSchemes = regexp.MustCompile(`^[a-z][a-z0-9+]{0,15}$`)

// checkListen refuses an address that is none, and one that others can reach where the key is short.
func (c Config) checkListen() error {
	_, port, err := net.SplitHostPort(c.Listen)
	if _, portErr := strconv.ParseUint(port, 10, 16); err != nil || portErr != nil {
		return misuse(fmt.Sprintf("%q is not an address to listen at", c.Listen), "Write host:port, such as --listen 127.0.0.1:8080.")
	}
	if length := utf8.RuneCountInString(c.APIKey); length > 0 && length < auth.LeastKey && !c.Insecure && !auth.IsLoopback(c.Listen) {
		return misuse(fmt.Sprintf("%s can be reached from other machines, and the key has less than %d characters", c.Listen, auth.LeastKey),
			"Set MNEME_API_KEY to a long random value (openssl rand -hex 24), listen at 127.0.0.1, or say --insecure.")
	}
	return nil
}

// checkLocked refuses an address that others can reach where nothing but keys of the memory lets them in, and there
// is none. Before the memory is opened keys are nil: a new one has none.
func (c Config) checkLocked(ctx context.Context, keys *keyring.Keyring) (err error) {
	if auth.IsLoopback(c.Listen) || c.APIKey != "" || c.OIDC.Issuer != "" {
		return nil
	}
	there := c.noMemory() == ""
	if keys != nil {
		there, err = keys.Any(ctx)
	}
	if there || err != nil {
		return err
	}
	return misuse(fmt.Sprintf("%s can be reached from other machines, and there is no key", c.Listen),
		fmt.Sprintf("Set MNEME_API_KEY to a long random value (openssl rand -hex 24), make a key with mneme keys create%s, or listen at 127.0.0.1.", c.SameStore()))
}

// checkEmbedder refuses an embedder of which parts are missing, or that is not to be used.
func (c Config) checkEmbedder() error {
	switch e := c.Embedder; {
	case e.URL == "" && c.Vectors == FromEndpoint:
		return misuse("MNEME_EMBEDDER is endpoint, and no endpoint is named", "Set MNEME_EMBEDDER_URL, such as http://localhost:11434/v1, and MNEME_EMBEDDER_MODEL; or leave MNEME_EMBEDDER out.")
	case e.URL == "" && (e.Model != "" || e.Key != ""):
		return misuse("an embedder has a model or a key, but no address",
			"Set MNEME_EMBEDDER_URL, such as https://api.openai.com/v1, or none of the three.")
	case e.URL != "" && c.Vectors != "" && c.Vectors != FromEndpoint:
		return misuse("MNEME_EMBEDDER is "+c.Vectors+", and MNEME_EMBEDDER_URL names an endpoint", "Leave one of them out: the built-in vectors are made beside those of an endpoint.")
	}
	return nil
}

// checkModel refuses a model of which parts are missing.
func (c Config) checkModel() error {
	if c.Model.URL == "" && (c.Model.Model != "" || c.Model.Key != "") {
		return misuse("a chat model has a name or a key, but no address",
			"Set MNEME_MODEL_URL, such as https://api.openai.com/v1, or none of the three.")
	}
	return nil
}
