package script

import (
	"strings"
	"testing"
)

func TestLanguageOf(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		"chmod":                              "",
		"tar -xf a.tgz":                      "",
		"extract an archive from the folder": "en",
		"how do I find the largest files":    "en",
		"wie finde ich die größten Dateien":  "de",
		"Change les droits d'accès d'un fichier":      "fr",
		"Cambia los permisos de un archivo":           "es",
		"Altera as permissões de um arquivo":          "pt",
		"Wyświetla zawartość pliku i nie zmienia się": "pl",
		"git comment": "", "die process": "", "par archive": "", "java war": "", "run as root": "", "dos": "", "az login": "", "come back": "", "car door lock": "",
		"comment supprimer un fichier": "fr", "wie entpacken": "de", "mit dem Passwort": "de", "list of files in the folder": "en",
		"解压 zip 文件": "zh",
		"ファイルの権限を変更する `chmod u+x`":                     "ja",
		"파일의 권한을 변경":                                   "ko",
		"Изменяет права для файла, что это":            "ru",
		"கோப்பின் அனுமதிகளை மாற்று: `chmod a+rx path`": "ta",
		"αλλαγή δικαιωμάτων":                           "el",
		"the Greek letter α and what it stands for":    "en",
	} {
		if got := LanguageOf(text).Code(); got != want {
			t.Errorf("%q is in %q, want %q", text, got, want)
		}
	}
}

func TestLikelyLanguages(t *testing.T) {
	for text, want := range map[string]string{
		"tar comment": "", "delete les fichiers": "fr ca", "удалить файлы на диске": "ru uk bg sr", "解压文件": "zh", "list of files in the folder": "en",
	} {
		var got []string
		for _, l := range LikelyLanguages(text) {
			got = append(got, l.Code())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q may be in %q, want %q", text, got, want)
		}
	}
	for code, want := range map[string]string{"de": "de", "nb": "no", "xx": "", "": ""} {
		if got := LanguageByCode(code).Code(); got != want {
			t.Errorf("%q names %q, want %q", code, got, want)
		}
	}
}

// TestLanguagesAreStored guards the numbers that indexes hold.
func TestLanguagesAreStored(t *testing.T) {
	for n, code := range map[Language]string{UnknownLanguage: "", 1: "en", 2: "de", 25: "zh", 44: "my"} {
		if n.Code() != code {
			t.Errorf("%d is %q, want %q", n, n.Code(), code)
		}
	}
	if !IsValidLanguage(44) || IsValidLanguage(45) || Language(45).Code() != "" {
		t.Error("there are other languages than these")
	}
}

func BenchmarkLanguageOf(b *testing.B) {
	text := strings.Repeat("கோப்பின் அனுமதிகளை மாற்று: `chmod a+rx path` Changes the rights of a file, and of what is in a folder. ", 8)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		LanguageOf(text)
	}
}
