#!/usr/bin/env bash
# natural's tokenizer for German loses the capitals Ä, Ö and Ü: Übelkeit (nausea) is "belkeit", and Öl (oil) is "l".
#
# Expected: the letters of German are letters, as ä, ö, ü and ß are there; every noun begins with a capital. A number is
# a word in each language.
# Seen with natural 8.1.1 (Node 20): Ärzte (doctors) are "rzte", so that an index of words has none that begins with
# these letters. Spanish and Portuguese drop digits, so that "5 mg" and "50 mg" are the same.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error natural@8.1.1

cat > read.mjs <<'END'
import natural from 'natural'
const texts = { De: 'Übelkeit: Ärzte geben Öl, 5 mg über Nacht', Es: 'tomar 5 mg, no 50 mg', Pt: 'tomar 5 mg, não 50 mg', Fr: "prendre 5 mg d'huile, pas 50 mg" }
for (const [language, text] of Object.entries(texts)) {
  const tokenizer = new natural[`AggressiveTokenizer${language}`]()
  console.log(language, text, '->', tokenizer.tokenize(text).join(' | '))
}
END

node -p "'natural ' + JSON.parse(fs.readFileSync('node_modules/natural/package.json')).version"
DOTENV_CONFIG_QUIET=true node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
De Übelkeit: Ärzte geben Öl, 5 mg über Nacht -> belkeit | rzte | geben | l | 5 | mg | über | Nacht
Es tomar 5 mg, no 50 mg -> tomar | mg | no | mg
Pt tomar 5 mg, não 50 mg -> tomar | mg | não | mg
Fr prendre 5 mg d'huile, pas 50 mg -> prendre | 5 | mg | d | huile | pas | 50 | mg
END
