#!/usr/bin/env bash
# Two parsers of Graphviz's language make a node "w" of the corner in b:port:nw, and a connection goes to another side.
#
# Expected: in DOT an edge ends at a port and, behind a second colon, a point of the compass of one or two letters, as
# Graphviz itself draws it: a -> b:port:nw has the nodes a and b.
# Seen with dotparser 1.1.1, @ts-graphviz/ast 3.0.6 (Node 20) and graphviz 2.42.2 (Debian 12): of all corners but se the
# first letter is read, and the second is a node of its own, in the graph that is written, too. The corner of a node
# without a port, b:nw, is read rightly, and so are the four sides.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error dotparser@1.1.1 @ts-graphviz/ast@3.0.6
apt-get install -y -qq --no-install-recommends graphviz=2.42.2-7+deb12u1 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > parse.mjs <<'END'
import { parse, stringify } from '@ts-graphviz/ast'
import dotparser from 'dotparser'
const text = process.argv[2]
const statements = dotparser(text)[0].children.map(({ edge_list: edges, node_id: node }) => (edges ?? [node]).map(({ id, port }) => [id, port?.id, port?.compass_pt].filter(Boolean).join(':')).join(' -> '))
console.log(`  dotparser:   ${statements.join('; ')}\n  ts-graphviz: ${stringify(parse(text)).replace(/\s+/g, ' ')}`)
END

for corner in b:nw b:port:n b:port:ne b:port:nw b:port:se b:port:sw; do
  graph="digraph { a -> $corner }"
  echo "$graph"
  printf '  Graphviz:    %s\n' "$(printf '%s' "$graph" | dot -Tplain 2> log.txt | awk '$1 == "node" { print $2 }' | sort | tr '\n' ' ' | sed 's/ $//')"
  node parse.mjs "$graph"
done > seen.txt
for package in dotparser @ts-graphviz/ast; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
dpkg-query -W graphviz
cat seen.txt
diff seen.txt - <<'END'
digraph { a -> b:nw }
  Graphviz:    a b
  dotparser:   a -> b:nw
  ts-graphviz: digraph { a -> b:nw; }
digraph { a -> b:port:n }
  Graphviz:    a b
  dotparser:   a -> b:port:n
  ts-graphviz: digraph { a -> b:port:n; }
digraph { a -> b:port:ne }
  Graphviz:    a b
  dotparser:   a -> b:port:n; e
  ts-graphviz: digraph { a -> b:port:n; e; }
digraph { a -> b:port:nw }
  Graphviz:    a b
  dotparser:   a -> b:port:n; w
  ts-graphviz: digraph { a -> b:port:n; w; }
digraph { a -> b:port:se }
  Graphviz:    a b
  dotparser:   a -> b:port:se
  ts-graphviz: digraph { a -> b:port:se; }
digraph { a -> b:port:sw }
  Graphviz:    a b
  dotparser:   a -> b:port:s; w
  ts-graphviz: digraph { a -> b:port:s; w; }
END
