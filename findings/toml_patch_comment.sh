#!/usr/bin/env bash
# toml-patch comments out the end of a list: [1, 2, # at noon (line end) 3] without the 2 becomes "[1,    # at noon 3]".
#
# Expected: a file of TOML with one value changed is valid TOML that says the new values; comments are kept, as its readme
# promises, each at the end of a line.
# Seen with @decimalturn/toml-patch 3.3.0 (Node 20): where a list is not written with a line for each value, what stands
# behind a comment is put into its line, with the bracket, so that its own parser and any other refuses the file from then
# on. No error is told while it is written. A list with a line for each value, or without comments, is written rightly.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @decimalturn/toml-patch@3.3.0

cat > read.mjs <<'END'
import { parse, patch } from '@decimalturn/toml-patch'
const cases = [
  ['doses = [1, 2, # at noon\n 3]\n', [1, 3]], ['doses = [1, # morning\n 2, # noon\n 3]\n', [1, 3]], ['doses = [1, # morning\n 2, # noon\n 3]\n', [1, 2]],
  ['doses = [1, # morning\n 2]\n', [2]], ['doses = [1, # morning\n 2]\n', [1, 2, 3]], ['doses = [5, 10,\n 20] # all\n', [5, 20]], ['doses = [\n  1, # morning\n  2, # noon\n  3 # night\n]\n', [1, 3]]
]
for (const [text, doses] of cases) {
  const written = patch(text, { doses })
  let read
  try { read = JSON.stringify(parse(written).doses) } catch { read = 'error' }
  console.log(`${JSON.stringify(text)} to ${JSON.stringify(doses)}: ${JSON.stringify(written)}, read as ${read}`)
}
END

node -p "'@decimalturn/toml-patch ' + JSON.parse(fs.readFileSync('node_modules/@decimalturn/toml-patch/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"doses = [1, 2, # at noon\n 3]\n" to [1,3]: "doses = [1,    # at noon 3]\n", read as error
"doses = [1, # morning\n 2, # noon\n 3]\n" to [1,3]: "doses = [1, # morning\n         3# noon]\n", read as error
"doses = [1, # morning\n 2, # noon\n 3]\n" to [1,2]: "doses = [1, # morning\n 2  # noon]\n", read as error
"doses = [1, # morning\n 2]\n" to [2]: "doses = [2  # morning]\n", read as error
"doses = [1, # morning\n 2]\n" to [1,2,3]: "doses = [1, # morning\n 2,\n 3]\n", read as [1,2,3]
"doses = [5, 10,\n 20] # all\n" to [5,20]: "doses = [5, 20]\n     # all\n", read as [5,20]
"doses = [\n  1, # morning\n  2, # noon\n  3 # night\n]\n" to [1,3]: "doses = [\n  1, # morning\n  3 # night\n]\n", read as [1,3]
END
