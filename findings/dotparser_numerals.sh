#!/usr/bin/env bash
# dotparser takes the names of nodes for numbers: 1.5 and 1.50 are one node, and 007 is two.
#
# Expected: a name in Graphviz's language is text, with quotation marks or without: 1.5 and 1.50 are two nodes, and
# "007" and 007 are the same one. The text of a node is what stands there, as @ts-graphviz/ast 3.0.6 keeps it.
# Seen with dotparser 1.1.1 (Node 20) and graphviz 2.42.2 (Debian 12): what looks like a numeral is a number of
# JavaScript, so that versions, codes and long numbers change, in labels as well: 1.50 is 1.5, 0010 is 10.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error dotparser@1.1.1
apt-get install -y -qq --no-install-recommends graphviz=2.42.2-7+deb12u1 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > parse.js <<'END'
const nodes = require('dotparser')(process.argv[2])[0].children.flatMap(({ edge_list: edges, node_id: node }) => (edges ?? [node]).map(({ id }) => id))
console.log(`  dotparser: ${[...new Set(nodes)].map((id) => JSON.stringify(id)).join(', ')}`)
END

for graph in 'digraph { a -> b }' 'digraph { 1.5 -> 1.50 }' 'digraph { "007" -> 007 }' 'digraph { 0010 -> 10 }' 'digraph { 12345678901234567 -> 12345678901234568 }'; do
  echo "$graph"
  printf '  Graphviz:  %s\n' "$(printf '%s' "$graph" | dot -Tplain | awk '$1 == "node" { print $2 }' | sort | tr '\n' ' ' | sed 's/ $//')"
  node parse.js "$graph"
done > seen.txt
node -p "'dotparser ' + JSON.parse(fs.readFileSync('node_modules/dotparser/package.json')).version"
dpkg-query -W graphviz
cat seen.txt
diff seen.txt - <<'END'
digraph { a -> b }
  Graphviz:  a b
  dotparser: "a", "b"
digraph { 1.5 -> 1.50 }
  Graphviz:  1.5 1.50
  dotparser: 1.5
digraph { "007" -> 007 }
  Graphviz:  007
  dotparser: "007", 7
digraph { 0010 -> 10 }
  Graphviz:  0010 10
  dotparser: 10
digraph { 12345678901234567 -> 12345678901234568 }
  Graphviz:  12345678901234567 12345678901234568
  dotparser: 12345678901234568
END
