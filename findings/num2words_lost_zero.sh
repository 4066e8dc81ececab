#!/usr/bin/env bash
# num2words says 2.05 in Polish, Russian and five other languages as "two point five".
#
# Expected: "two point zero five", as it has it in English, German and French.
# Seen with python3-num2words 0.5.10 (Debian 12): what stands behind the point is said as a number, so that its zeros
# are gone, in Polish, Czech, Russian, Ukrainian, Lithuanian, Latvian and Serbian; in Turkish it is "two point four",
# and 0.5 "zero point fifty". The minus of -5 is lost in Turkish, and in Vietnamese it is 15. In German the year 44
# before Christ is minus 156.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-num2words=0.5.10-2 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > say.py <<'END'
from num2words import num2words
for language in ['en', 'de', 'fr', 'pl', 'cz', 'ru', 'uk', 'lt', 'lv', 'sr', 'tr']:
    print(language, '| 2.5:', num2words(2.5, lang=language), '| 2.05:', num2words(2.05, lang=language))
for language in ['en', 'tr', 'vi_VN']:
    print(language, '| -5:', num2words(-5, lang=language), '| 15:', num2words(15, lang=language))
print('de | -44:', num2words(-44, lang='de', to='year'))
END

dpkg-query -W python3-num2words
/usr/bin/python3 say.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
en | 2.5: two point five | 2.05: two point zero five
de | 2.5: zwei Komma fünf | 2.05: zwei Komma null fünf
fr | 2.5: deux virgule cinq | 2.05: deux virgule zéro cinq
pl | 2.5: dwa przecinek pięć | 2.05: dwa przecinek pięć
cz | 2.5: dva celá pět | 2.05: dva celá pět
ru | 2.5: два запятая пять | 2.05: два запятая пять
uk | 2.5: двi кома п'ять | 2.05: двi кома п'ять
lt | 2.5: du kablelis penki | 2.05: du kablelis penki
lv | 2.5: divi komats pieci | 2.05: divi komats pieci
sr | 2.5: dva zapeta pet | 2.05: dva zapeta pet
tr | 2.5: ikivirgülelli | 2.05: ikivirgüldört
en | -5: minus five | 15: fifteen
tr | -5: beş | 15: onbeş
vi_VN | -5: mười lăm | 15: mười lăm
de | -44: minuseinshundertsechsundfünfzig
END
