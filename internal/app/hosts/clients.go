package hosts

import "strings"

// ClientProfile is what a server knows of a host: the name that the host sends, and what the host does
// with results.
type ClientProfile struct {
	NamePrefix string // the beginning, in lower case, of the name that the host sends as an MCP client
	whole      bool   // the host sends exactly NamePrefix
	reads      bool   // the model of the host gets the text of embedded resources
	limit      limit  // how much of a result the model gets uncut; zero means the usual limit
}

// limit is a maximum size of the content of a result; 0 stands for the usual limit.
type limit struct{ characters, bytes int }

// others are the client names of hosts and libraries that install does not support. Most of the
// libraries pass both forms of a passage to their model, as tests have shown.
var others = []ClientProfile{
	{NamePrefix: "ai-sdk-mcp-client"},           // run, 2.0.99: an embedded resource arrives as JSON in a string of JSON
	{NamePrefix: "@langchain/mcp-adapters"},     // run, 1.1.4: an embedded resource is left out
	{NamePrefix: "genkit"},                      // run, 1.42.0: an embedded resource arrives as JSON
	{NamePrefix: "mcpclient"},                   // run, ADK for JavaScript 2.0.0: an embedded resource arrives as JSON
	{NamePrefix: "vademecum"},                   // run, OpenAI Agents 0.20.0, Mastra 2.0.0 and VoltAgent 2.10.0: JSON; they use the name of the entry
	{NamePrefix: "strands-agents", reads: true}, // run, 1.19.0: text, then the passage's text without its URI
	{NamePrefix: "mcphost"},                     // run, 632cc19: the whole result arrives as JSON
	{NamePrefix: "mcp", whole: true},            // run, SDK for Python 1.29.0 with mcpadapt 0.1.20, as in smolagents: the first block alone; source of OpenAI Agents 0.22: JSON
	{NamePrefix: "openai"},                      // source: an embedded resource arrives as JSON
}

// KnownClients returns all hosts and libraries whose behaviour as MCP clients is known.
func KnownClients() (all []ClientProfile) {
	for _, h := range KnownHosts {
		if h.client.NamePrefix != "" {
			all = append(all, h.client)
		}
	}
	return append(all, others...)
}

// ReadsResources reports whether the model of a host gets the text of embedded resources, once and
// unchanged, and whether that is known. clientName is the name that the host sends.
func ReadsResources(clientName string) (reads, isKnown bool) {
	c, isKnown := clientNamed(clientName)
	return c.reads, isKnown
}

// ResultLimit returns how many characters and bytes of a result a host passes to its model uncut; 0
// means the usual limit. clientName is the name that the host sends.
func ResultLimit(clientName string) (characters, bytes int) {
	c, _ := clientNamed(clientName)
	return c.limit.characters, c.limit.bytes
}

func clientNamed(name string) (c ClientProfile, isKnown bool) {
	name, _, _ = strings.Cut(strings.ToLower(name), " (via ") // mcp-remote 0.15 appends this
	for _, c := range KnownClients() {
		if name == c.NamePrefix || !c.whole && strings.HasPrefix(name, c.NamePrefix) {
			return c, true
		}
	}
	return ClientProfile{}, false
}

// ExpectsSearchAndFetch reports whether a host expects tools called search and fetch. clientName is the
// name that the host sends. Such hosts are ChatGPT and other clients on OpenAI's servers, which
// call themselves openai-mcp, "openai-mcp (ChatGPT)" and the like.
func ExpectsSearchAndFetch(clientName string) bool {
	return strings.HasPrefix(strings.ToLower(clientName), "openai-mcp")
}
