#!/usr/bin/env bash
# genbank-parser ends a note at its second equals sign, and a gene at the end of its first part.
#
# Expected: a qualifier of GenBank is a name, one equals sign and a text in quotes, in which a quote is written twice;
# a gene at join(10..20,40..50) begins at 10 and ends at 50, as bio-parsers reads it (from 0).
# Seen with genbank-parser 3.0.0 and bio-parsers 9.3.6 (Node 20): of "dose=5 mg, then" "dose" is left, to which the
# next line is joined. The first gives the end of the first part as the end of the gene, 20. Both of them leave out
# what follows a quote within a text, and join the lines of a note without a blank: "Take 5" above "10 drops" is "Take
# 510 drops".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error genbank-parser@3.0.0 bio-parsers@9.3.6

cat > read.mjs <<'END'
import { genbankToJson } from 'genbank-parser'
import parsers from 'bio-parsers'
const line = (name, text) => `     ${name.padEnd(16)}${text}`
const file = ['LOCUS       X1                    60 bp    DNA     linear   PRI 05-MAR-2026', 'DEFINITION  Test.', 'ACCESSION   X1', 'FEATURES             Location/Qualifiers',
  line('gene', 'join(10..20,40..50)'), line('', '/note="dose=5 mg, then'), line('', '10 drops"'),
  line('gene', '10..20'), line('', '/note="Take 5'), line('', '10 drops"'),
  line('gene', '10..20'), line('', '/note="known as ""five"" to all"'),
  'ORIGIN', '        1 acgtacgtac gtacgtacgt acgtacgtac gtacgtacgt acgtacgtac gtacgtacgt', '//', ''].join('\n')
const show = (name, features) => { for (const { start, end, notes } of features) console.log(name, start, end, JSON.stringify(notes.note)) }
show('genbank-parser:', genbankToJson(file)[0].features)
show('bio-parsers:', (await parsers.genbankToJson(file))[0].parsedSequence.features)
END

node -p "'genbank-parser ' + JSON.parse(fs.readFileSync('node_modules/genbank-parser/package.json')).version"
node -p "'bio-parsers ' + JSON.parse(fs.readFileSync('node_modules/bio-parsers/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
genbank-parser: 10 20 ["dose10 drops"]
genbank-parser: 10 20 ["Take 510 drops"]
genbank-parser: 10 20 ["known as "]
bio-parsers: 9 49 ["dose=5 mg, then10 drops"]
bio-parsers: 9 19 ["Take 510 drops"]
bio-parsers: 9 19 ["known as "]
END
