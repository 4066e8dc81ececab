package hosts

import "strings"

// A Client is how a host is known to a server that it connects to.
type Client struct {
	Name  string // a part of the name that it gives, in lower case
	reads bool   // its model gets the text of embedded resources
}

// others are the names of hosts into which nothing is installed.
var others = []Client{
	{"ai-sdk-mcp-client", true}, // run: text and the passage's text
	{"openai", false},           // source: an embedded resource arrives as JSON
}

// Clients lists the names by which it is known what a host gives its model.
func Clients() (all []Client) {
	for _, h := range All {
		if h.client.Name != "" {
			all = append(all, h.client)
		}
	}
	return append(all, others...)
}

// ReadsResources tells of a host, by the name that it gives a server, whether its model
// gets the text of embedded resources once and as it is, and whether that is known.
func ReadsResources(client string) (reads, isKnown bool) {
	client = strings.ToLower(client)
	for _, c := range Clients() {
		if strings.Contains(client, c.Name) {
			return c.reads, true
		}
	}
	return false, false
}

// HasSearchAndFetch tells of a host, by the name that it gives a server, whether it expects
// tools called search and fetch: ChatGPT and what else OpenAI connects from its servers,
// which call themselves openai-mcp, "openai-mcp (ChatGPT)" and the like.
func HasSearchAndFetch(client string) bool {
	return strings.HasPrefix(strings.ToLower(client), "openai-mcp")
}
