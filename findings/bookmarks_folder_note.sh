#!/usr/bin/env bash
# node-bookmarks-parser leaves out all bookmarks of a folder that has a description.
#
# Expected: a folder has its bookmarks, with or without <DD>, in which browsers export the description of a folder.
# Seen with node-bookmarks-parser 2.0.0 (Node 20): the folder is there, without children, and no error is told. The
# description of a bookmark does no harm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error node-bookmarks-parser@2.0.0

cat > read.mjs <<'END'
import parse from 'node-bookmarks-parser'
const page = (ofFolder, ofBookmark) => `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3>Teas</H3>${ofFolder}
    <DL><p>
        <DT><A HREF="https://example.org/green">Green</A>${ofBookmark}
        <DT><A HREF="https://example.org/black">Black</A>
    </DL><p>
    <DT><A HREF="https://example.org/milk">Milk</A>
</DL><p>
`
const names = (items) => (items ?? []).map(({ title, children }) => children ? `${title} (${names(children)})` : title).join(', ')
console.log('without:', names(parse(page('', ''))))
console.log('of a bookmark:', names(parse(page('', '\n<DD>Not too hot'))))
console.log('of the folder:', names(parse(page('\n<DD>From the shop', ''))))
END

node -p "'node-bookmarks-parser ' + JSON.parse(fs.readFileSync('node_modules/node-bookmarks-parser/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
without: Menu (Teas (Green, Black), Milk)
of a bookmark: Menu (Teas (Green, Black), Milk)
of the folder: Menu (Teas, Milk)
END
