package meta

import "github.com/pelletier/go-toml/v2/unstable"

// readTOML adds the fields of TOML, and keeps the current table for the next call. It returns false
// if there is an error; fields before it are added.
func (r *fieldReader) readTOML(text string) bool {
	var p unstable.Parser
	p.Reset([]byte(text))
	for p.NextExpression() {
		switch n := p.Expression(); n.Kind {
		case unstable.Table, unstable.ArrayTable:
			r.table = dottedKey("", n.Key())
		case unstable.KeyValue:
			r.addTOML(dottedKey(r.table, n.Key()), n.Value(), false)
		}
	}
	return p.Error() == nil
}

// dottedKey returns a key prefixed with the keys that contain it, or "" if it is not valid.
func dottedKey(within string, parts unstable.Iterator) string {
	for parts.Next() {
		inner := cleanKey(string(parts.Node().Data))
		if inner == "" || len(within)+len(inner) >= maxKey {
			return ""
		}
		if within != "" {
			within += "."
		}
		within += inner
	}
	return within
}

// addTOML adds a value to a key; isItem reports that it is an item of a list.
func (r *fieldReader) addTOML(key string, n *unstable.Node, isItem bool) {
	if key == "" {
		return
	}
	switch n.Kind {
	case unstable.Array:
		for items := n.Children(); items.Next(); {
			r.addTOML(key, items.Node(), true)
		}
	case unstable.InlineTable:
		for pairs := n.Children(); pairs.Next(); {
			r.addTOML(dottedKey(key, pairs.Node().Key()), pairs.Node().Value(), false)
		}
	case unstable.String:
		if isItem {
			r.add(key, string(n.Data))
		} else {
			r.addScalar(key, string(n.Data))
		}
	default:
		r.add(key, string(n.Data))
	}
}
