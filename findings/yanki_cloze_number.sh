#!/usr/bin/env bash
# Yanki makes a card for "5 mg" of 0.5 mg, and hides only "min" of 10 min.
#
# Expected: what is struck out is hidden on the card and asked for: {{c1::0.5 mg}}, as it has {{c1::1,5 mg}} and 2006.
# Seen with yanki 2.0.9 (Node 20): its readme says that one or two digits at the beginning are the number of the gap, for
# "~~1 All~~"; any sign behind them will do, so that the 0 and the point of 0.5 go, and Anki has no gap 0. Of "38.5 °C"
# the card asks for "5 °C", and of "10 min" it asks for "min", the tenth gap of a note that has one. The number is
# nowhere on the card.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts yanki@2.0.9

cat > read.mjs <<'END'
import { getNoteFromMarkdown } from 'yanki'
for (const text of ['Take ~~half~~ a tablet', 'Take ~~0.5 mg~~', 'Take ~~1.5 mg~~', 'Take ~~1,5 mg~~', 'Wait ~~10 min~~', 'Fever of ~~38.5 °C~~', 'Caesar died in ~~44 B.C.~~', 'Anki began in ~~2006~~']) {
  const { fields } = await getNoteFromMarkdown(text, { namespaceValidationAndSanitization: true })
  console.log(`${text} -> ${fields.Front.replace(/<[^>]*>/g, '').trim()}`)
}
END

node -p "'yanki ' + JSON.parse(fs.readFileSync('node_modules/yanki/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Take ~~half~~ a tablet -> Take {{c1::half}} a tablet
Take ~~0.5 mg~~ -> Take {{c0::5 mg}}
Take ~~1.5 mg~~ -> Take {{c1::5 mg}}
Take ~~1,5 mg~~ -> Take {{c1::1,5 mg}}
Wait ~~10 min~~ -> Wait {{c10::min}}
Fever of ~~38.5 °C~~ -> Fever of {{c38::5 °C}}
Caesar died in ~~44 B.C.~~ -> Caesar died in {{c44::B.C.}}
Anki began in ~~2006~~ -> Anki began in {{c1::2006}}
END
