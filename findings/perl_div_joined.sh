#!/usr/bin/env bash
# Perl's converters of HTML join what stands in two <div>: 5 above 10 mg becomes 510 mg.
#
# Expected: a <div> begins a line of its own, as browsers show it and as mail programs write each line of a message.
# Seen with HTML::FormatText and HTML::FormatRTF 2.16, and HTML::WikiConverter 0.68 with its dialects for DokuWiki and
# MoinMoin (Debian 12): nothing is between them, while <p> parts lines. That for DokuWiki also joins the paragraphs of a
# quotation; that for Markdown keeps all apart.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends libhtml-format-perl=2.16-2 libhtml-wikiconverter-perl=0.68-4 libhtml-wikiconverter-dokuwiki-perl=0.53-2.1 libhtml-wikiconverter-moinmoin-perl=0.54-2 libhtml-wikiconverter-markdown-perl=0.06-3 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > convert.pl <<'END'
use strict;
use warnings;
use HTML::FormatRTF;
use HTML::FormatText;
use HTML::TreeBuilder;
use HTML::WikiConverter;

sub lines { join ' / ', grep { /\S/ } map { s/^\s+|\s+$//gr } split /\n/, $_[0] }

for my $html ('<div>Take 5</div><div>10 mg</div>', '<p>Take 5</p><p>10 mg</p>', '<blockquote><p>5</p><p>7</p></blockquote>') {
  my $tree = HTML::TreeBuilder->new_from_content($html);
  print "$html\n";
  print '  FormatText: ', lines(HTML::FormatText->new(leftmargin => 0)->format($tree)), "\n";
  my $rtf = HTML::FormatRTF->new->format($tree);
  print '  FormatRTF: ', join(' / ', grep { /^(Take|\d)/ } split /\n/, $rtf), "\n";
  print "  $_: ", lines(HTML::WikiConverter->new(dialect => $_)->html2wiki($html)), "\n" for qw(DokuWiki MoinMoin Markdown);
}
END
perl convert.pl > seen.txt
dpkg-query -W libhtml-format-perl libhtml-wikiconverter-perl libhtml-wikiconverter-dokuwiki-perl libhtml-wikiconverter-moinmoin-perl libhtml-wikiconverter-markdown-perl
cat seen.txt
diff seen.txt - <<'END'
<div>Take 5</div><div>10 mg</div>
  FormatText: Take 510 mg
  FormatRTF: Take 510 mg
  DokuWiki: Take 510 mg
  MoinMoin: Take 510 mg
  Markdown: Take 5 / 10 mg
<p>Take 5</p><p>10 mg</p>
  FormatText: Take 5 / 10 mg
  FormatRTF: Take 5 / 10 mg
  DokuWiki: Take 5 / 10 mg
  MoinMoin: Take 5 / 10 mg
  Markdown: Take 5 / 10 mg
<blockquote><p>5</p><p>7</p></blockquote>
  FormatText: 5 / 7
  FormatRTF: 5 / 7
  DokuWiki: > 57
  MoinMoin: 5 / 7
  Markdown: > 5 / > / > 7
END
