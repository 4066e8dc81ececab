package bridge

import (
	"encoding/json"
	"maps"
	"slices"
)

// changedLists are the lists of tools, prompts and resources, and the resources, that may have
// changed while the server could not be reached. The host is notified of them when it can be
// reached again.
type changedLists struct {
	stream json.RawMessage // ID of the request that opened the stream for the notification; nil means the session

	Tools     bool     `json:"toolsListChanged"`
	Prompts   bool     `json:"promptsListChanged"`
	Resources bool     `json:"resourcesListChanged"`
	URIs      []string `json:"resourceSubscriptions"`
}

// listsMaybeChanged returns those lists and resources of whose changes the host is notified in its
// session.
func (b *bridge) listsMaybeChanged() changedLists {
	b.mu.Lock()
	defer b.mu.Unlock()
	tells := b.began.tells
	return changedLists{
		Tools: tells.Tools.ListChanged, Prompts: tells.Prompts.ListChanged, Resources: tells.Resources.ListChanged,
		URIs: slices.Sorted(maps.Keys(b.began.follows)),
	}
}

// listsListenedTo returns the lists and resources whose changes a stream reports to the host, given the
// request that opened the stream.
func listsListenedTo(listen message) changedLists {
	var said struct {
		Params struct{ Notifications changedLists }
	}
	_ = json.Unmarshal(listen.text, &said) // then there is nothing
	said.Params.Notifications.stream = listen.id
	return said.Params.Notifications
}

// notifyChanged notifies the host that lists and resources may have changed.
func (b *bridge) notifyChanged(n changedLists) {
	tell := func(method string, params map[string]any) {
		if n.stream != nil {
			params["_meta"] = map[string]any{"io.modelcontextprotocol/subscriptionId": n.stream}
		}
		text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
		if err == nil {
			b.writeLine(text)
		}
	}
	for kind, told := range map[string]bool{"tools": n.Tools, "prompts": n.Prompts, "resources": n.Resources} {
		if told {
			tell("notifications/"+kind+"/list_changed", map[string]any{})
		}
	}
	for _, uri := range n.URIs {
		tell("notifications/resources/updated", map[string]any{"uri": uri})
	}
}
