#!/usr/bin/env bash
# mldoc, Logseq's own parser, leaves all rows of a table out of an export where its head stands beside the bullet.
#
# Expected: Markdown that is parsed and exported as Markdown says the same; Logseq writes each block behind a bullet, and
# a block that is a table begins there.
# Seen with mldoc 1.6.0 (Node 20), with the settings of an export: the head is left of the table, in Markdown and OPML;
# in a line of its own below the bullet the table is whole. "\#5" loses its backslash and becomes a tag, the mark of a
# footnote, [^1], becomes [1] and leads to no note, and x_{2} has a blank more.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error mldoc@1.6.0

cat > export.js <<'END'
const { Mldoc } = require('mldoc')
const settings = JSON.stringify({ format: 'Markdown', toc: false, parse_outline_only: false, heading_number: false,
  heading_to_list: false, keep_line_break: true, exporting_keep_properties: true, inline_type_with_pos: false,
  inline_skip_macro: false, export_md_indent_style: 'dashes', export_md_remove_options: [], hiccup_in_block: true })
const table = '| Drug | Dose |\n  |---|---|\n  | A | 5 |\n'
for (const text of ['- ' + table, '- Doses\n  ' + table, '- Room \\#5\n', '- Tea[^1]\n\n[^1]: Not with milk.\n', '- x_{2}\n']) {
  console.log(JSON.stringify(text), '=>', JSON.stringify(Mldoc.export('markdown', text, settings, '{}')))
}
console.log(Mldoc.export('opml', '- ' + table, settings, '{}').match(/<outline.*/)[0])
END

node -p "'mldoc ' + JSON.parse(fs.readFileSync('node_modules/mldoc/package.json')).version"
node export.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"- | Drug | Dose |\n  |---|---|\n  | A | 5 |\n" => "- | Drug | Dose |  "
"- Doses\n  | Drug | Dose |\n  |---|---|\n  | A | 5 |\n" => "- Doses  \n\n  | Drug | Dose |\n  |---|---|\n  | A | 5 |"
"- Room \\#5\n" => "- Room #5  "
"- Tea[^1]\n\n[^1]: Not with milk.\n" => "- Tea[1]  \n    \n[^1] Not with milk."
"- x_{2}\n" => "- x_{ 2}  "
<outline text="| Drug | Dose |" _note=""/>
END
