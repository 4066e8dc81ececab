#!/usr/bin/env bash
# vectra finds nothing where a number may be one of several: {"$in": [5, 10]}.
#
# Expected: $in compares as $eq does, which finds the number 5, and as it does with words; $ne and $nin find what has no
# such value, as in MongoDB, whose operators they are.
# Seen with vectra 0.15.0 (Node 20): of items with the doses 5 and 10, {"dose": {"$in": [5, 10]}} finds none, and no
# error is told. An item without a ward is found neither by {"ward": {"$ne": "A"}} nor by {"ward": {"$nin": ["A"]}}.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error vectra@0.15.0

cat > read.mjs <<'END'
import { LocalIndex } from 'vectra'
const index = new LocalIndex('index')
await index.createIndex({ version: 1, metadata_config: { indexed: ['name', 'dose', 'ward'] } })
for (const metadata of [{ name: 'one', dose: 5, ward: 'A' }, { name: 'two', dose: 10, ward: 'B' }, { name: 'three', dose: 7 }]) await index.insertItem({ vector: [1, metadata.dose], metadata })
for (const filter of [{ dose: 5 }, { dose: { $in: [5, 10] } }, { dose: { $gte: 5 } }, { ward: { $in: ['A', 'B'] } }, { ward: { $ne: 'A' } }, { ward: { $nin: ['A'] } }]) {
  const found = await index.queryItems([1, 5], '', 10, filter)
  console.log(JSON.stringify(filter), '->', found.map(({ item }) => item.metadata.name).sort().join(', ') || 'nothing')
}
END

node -p "'vectra ' + JSON.parse(fs.readFileSync('node_modules/vectra/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
{"dose":5} -> one
{"dose":{"$in":[5,10]}} -> nothing
{"dose":{"$gte":5}} -> one, three, two
{"ward":{"$in":["A","B"]}} -> one, two
{"ward":{"$ne":"A"}} -> two
{"ward":{"$nin":["A"]}} -> two
END
