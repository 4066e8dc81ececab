#!/usr/bin/env bash
# html2wiki joins the paragraphs of an item: "Take 5" above "10 drops" becomes "Take 510 drops".
#
# Expected: what a wiki cannot have in an item, a second paragraph, is apart by a line break, as it writes <br>.
# Seen with HTML::WikiConverter's dialects for MediaWiki 0.59 and DokuWiki 0.53 (Debian 12): nothing stands between
# them, nor between a term and its definition in DokuWiki, nor between a link and a picture. A list that begins at 3
# begins at 1; <s> is lost in DokuWiki, so that a dose that was struck out is one, while <del> is kept.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends libhtml-wikiconverter-dokuwiki-perl=0.53-2.1 libhtml-wikiconverter-mediawiki-perl=0.59-3 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > page.html <<'END'
<html><body>
<ul><li><p>Take 5</p><p>10 drops</p></li><li>Rest<br>a day</li></ul>
<dl><dt>Dose 1</dt><dd>5 mg</dd></dl>
<ol start="3"><li>Boil</li><li>Pour</li></ol>
<p><s>5 mg</s> 10 mg, <del>7 mg</del> 8 mg</p>
</body></html>
END

dpkg-query -W libhtml-wikiconverter-dokuwiki-perl libhtml-wikiconverter-mediawiki-perl
bash -c 'for dialect in MediaWiki DokuWiki; do echo "$dialect:"; html2wiki --dialect "$dialect" page.html; done' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
MediaWiki:
* Take 510 drops
* Rest<br />a day

; Dose 1
: 5 mg

# Boil
# Pour

<s>5 mg</s> 10 mg,

<del>7 mg</del>

8 mg
DokuWiki:
  * Take 510 drops
  * Rest\\ a day

Dose 15 mg

  - Boil
  - Pour

5 mg 10 mg,

<del>7 mg</del>

8 mg
END
