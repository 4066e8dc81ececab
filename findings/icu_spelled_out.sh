#!/usr/bin/env bash
# ICU reads "twenty five" as 2005 and "einundzwanzig" (21) as 1.
#
# Expected: a formatter of the kind "spellout" reads the numbers of its language as people write them, or gives false,
# as it has it for "Twenty-five".
# Seen with ICU 72.1 by PHP's NumberFormatter 8.2 (Debian 12): what it reads is what it writes itself, to the letter:
# "twenty-five" with its hyphen, and in German, Italian, Swedish and Dutch a word with invisible hyphens (U+00AD) in
# it, which nobody types. Without them it stops where the first part of the word ends and gives that as the number. In
# French seventy-one (soixante et onze, as most people write it) is 60.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends php8.2-cli php8.2-intl libicu72 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.php <<'END'
<?php
$texts = ['en' => ['twenty-five', 'twenty five', 'forty two', 'one hundred and twenty five', 'Twenty-five'],
          'de' => ['zwölf', 'einundzwanzig', 'fünfundzwanzig', 'zweihundertfünfzig'],
          'fr' => ['soixante-et-onze', 'soixante et onze'], 'it' => ['venticinque'], 'sv' => ['tjugofem'], 'nl' => ['vijfentwintig'],
          'es' => ['veinticinco'], 'zh' => ['二十五']];
foreach ($texts as $language => $words) {
  $formatter = new NumberFormatter($language, NumberFormatter::SPELLOUT);
  foreach ($words as $word) echo "$language $word -> ", json_encode($formatter->parse($word)), "\n";
  $written = $formatter->format(25);
  echo "$language, 25 as it is written: ", str_replace("\u{AD}", '(U+00AD)', $written), ' -> ', $formatter->parse($written), "\n";
}
END
php -r 'echo "ICU ", INTL_ICU_VERSION, ", PHP ", PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION, "\n";'
php read.php > seen.txt
cat seen.txt
diff seen.txt - <<'END'
en twenty-five -> 25
en twenty five -> 2005
en forty two -> 4002
en one hundred and twenty five -> 120
en Twenty-five -> false
en, 25 as it is written: twenty-five -> 25
de zwölf -> 12
de einundzwanzig -> 1
de fünfundzwanzig -> 5
de zweihundertfünfzig -> 2
de, 25 as it is written: fünf(U+00AD)und(U+00AD)zwanzig -> 25
fr soixante-et-onze -> 71
fr soixante et onze -> 60
fr, 25 as it is written: vingt-cinq -> 25
it venticinque -> 20
it, 25 as it is written: venti(U+00AD)cinque -> 25
sv tjugofem -> 20
sv, 25 as it is written: tjugo(U+00AD)fem -> 25
nl vijfentwintig -> 5
nl, 25 as it is written: vijf(U+00AD)en(U+00AD)twintig -> 25
es veinticinco -> 25
es, 25 as it is written: veinticinco -> 25
zh 二十五 -> 25
zh, 25 as it is written: 二十五 -> 25
END
