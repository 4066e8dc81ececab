#!/usr/bin/env bash
# Citation.js takes the day of an EndNote reference for its year: March 5 of 2026 is the year 5.
#
# Expected: %D is the year and %8 the date, in which EndNote's users write the day and the month of an article, so that
# "%D 2026" and "%8 March 5" are 5 March 2026, or 2026.
# Seen with @citation-js/plugin-enw 0.3.0 and @citation-js/core 0.7.21 (Node 20): where there is a %8, the %D counts for
# nothing. "March 5" is the third month of the year 5, "October 12" the tenth of the year 12; "Spring" and "March" leave
# no year. An institution, which EndNote knows by the comma behind its name, is a person: Organization, World Health.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @citation-js/core@0.7.21 @citation-js/plugin-enw@0.3.0

cat > read.mjs <<'END'
import { Cite } from '@citation-js/core'
import '@citation-js/plugin-enw'
for (const fields of [['%D 2026'], ['%D 2026', '%8 2026/03/05'], ['%D 2026', '%8 March 5'], ['%D 2026', '%8 October 12'], ['%D 2026', '%8 Spring'], ['%A World Health Organization,']]) {
  const { author, issued } = new Cite(`%0 Journal Article\n%T Doses\n${fields.join('\n')}\n`).data[0]
  console.log(fields.join(', '), '=>', JSON.stringify(issued ?? author))
}
END

for package in @citation-js/core @citation-js/plugin-enw; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
%D 2026 => {"date-parts":[[2026]]}
%D 2026, %8 2026/03/05 => {"date-parts":[[2026,3,5]]}
%D 2026, %8 March 5 => {"date-parts":[[5,3]]}
%D 2026, %8 October 12 => {"date-parts":[[12,10]]}
%D 2026, %8 Spring => {"raw":"Spring"}
%A World Health Organization, => [{"given":"World Health","family":"Organization,"}]
END
