#!/usr/bin/env bash
# FlexSearch takes 200 for 20, and 5.5 for 55.
#
# Expected: an index with its defaults tells numbers apart: a word is found where it stands, or where it begins.
# Seen with flexsearch 0.8.212 (Node 20): a letter that is doubled counts once, and so does a digit: "200" finds
# "20 mg" and "2000 mg", "11" finds "room 1". Of 2000 three digits are one word and the fourth another. With
# Charset.Exact numbers are as they were written, and capitals count.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error flexsearch@0.8.212

cat > search.mjs <<'END'
import flexsearch from 'flexsearch'
const { Charset, Encoder, Index } = flexsearch
const index = new Index()
for (const text of ['take 20 mg', 'take 200 mg', 'take 2000 mg', 'rate 5.5', 'rate 55', 'room 1', 'room 11']) index.add(text, text)
for (const query of ['200', '2000', '55', '11']) console.log(`${query}: ${index.search(query).join(', ')}`)
for (const name of ['Default', 'Exact']) console.log(`${name}: ${new Encoder(Charset[name]).encode('2000 Balloons').join(' ')}`)
END

node -p "'flexsearch ' + JSON.parse(fs.readFileSync('node_modules/flexsearch/package.json')).version"
node search.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
200: take 20 mg, take 200 mg, take 2000 mg
2000: take 2000 mg
55: rate 5.5, rate 55
11: room 1, room 11
Default: 20 0 balons
Exact: 2000 Balloons
END
