#!/usr/bin/env bash
# jieba cuts German words at their umlauts: Größe is four words, and Übelkeit two.
#
# Expected: a word in Latin letters stays one, as Size, B12 and C++ do in a Chinese text.
# Seen with python3-jieba 0.42.1 (Debian 12): letters are a to z, so that ö, ß and é are words of their own, in each of
# its cuts; digits of full width, as Chinese texts have them, are one word each, and 1,000 is three. Its own choice of
# key words then drops all pieces of one letter: of Übelkeit (nausea) "belkeit" is left.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-jieba=0.42.1-3 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > cut.py <<'END'
import jieba
import jieba.analyse

jieba.setLogLevel(60)
jieba.dt.tmp_dir = '.'
for text in ['德语Size大小', '德语Größe大小', 'Übelkeit是恶心', 'café咖啡', '维生素B12', '每天250毫克', '每天２５０毫克', '1,000元']:
    print(text, '->', ' | '.join(jieba.cut(text)), '; for a search:', ' | '.join(jieba.cut_for_search(text)))
print('key words:', jieba.analyse.extract_tags('德语Größe, Übelkeit'))
END
dpkg-query -W python3-jieba
/usr/bin/python3 cut.py 2> warnings.txt > seen.txt
cat seen.txt
diff seen.txt - <<'END'
德语Size大小 -> 德语 | Size | 大小 ; for a search: 德语 | Size | 大小
德语Größe大小 -> 德语 | Gr | ö | ß | e | 大小 ; for a search: 德语 | Gr | ö | ß | e | 大小
Übelkeit是恶心 -> Ü | belkeit | 是 | 恶心 ; for a search: Ü | belkeit | 是 | 恶心
café咖啡 -> caf | é | 咖啡 ; for a search: caf | é | 咖啡
维生素B12 -> 维生素 | B12 ; for a search: 维生 | 维生素 | B12
每天250毫克 -> 每天 | 250 | 毫克 ; for a search: 每天 | 250 | 毫克
每天２５０毫克 -> 每天 | ２ | ５ | ０ | 毫克 ; for a search: 每天 | ２ | ５ | ０ | 毫克
1,000元 -> 1 | , | 000 | 元 ; for a search: 1 | , | 000 | 元
key words: ['Gr', 'belkeit', '德语']
END
