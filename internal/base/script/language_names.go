package script

import "cmp"

// LanguageNames maps the codes of the languages to their English names.
var LanguageNames = map[string]string{
	"en": "English", "zh": "Chinese", "ja": "Japanese", "ko": "Korean", "de": "German", "fr": "French", "es": "Spanish",
	"it": "Italian", "pt": "Portuguese", "ru": "Russian", "nl": "Dutch",
	"pl": "Polish", "cs": "Czech", "sv": "Swedish", "da": "Danish", "no": "Norwegian", "fi": "Finnish", "hu": "Hungarian", "tr": "Turkish",
	"ro": "Romanian", "id": "Indonesian", "vi": "Vietnamese", "ca": "Catalan", "bs": "Bosnian or Croatian", "uk": "Ukrainian", "bg": "Bulgarian", "sr": "Serbian",
	"th": "Thai", "ar": "Arabic", "fa": "Persian", "he": "Hebrew", "el": "Greek", "hi": "Hindi", "bn": "Bengali", "ta": "Tamil",
	"te": "Telugu", "kn": "Kannada", "ml": "Malayalam", "si": "Sinhala", "ka": "Georgian", "hy": "Armenian", "km": "Khmer", "lo": "Lao",
	"my": "Burmese",
}

// LanguageName returns the English name of a language with a code, or else the code.
func LanguageName(code string) string { return cmp.Or(LanguageNames[code], code) }
