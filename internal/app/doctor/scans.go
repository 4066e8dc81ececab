package doctor

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"slices"

	"vademecum/docs/ocr"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
)

// checkScans reports whether the text of scanned pages can be recognised, if there are such pages.
func (s *examination) checkScans(ctx context.Context, report func(Finding)) {
	n := s.status.PagesToRecognise
	if n == 0 {
		s.checkChosenRecogniser(ctx, report)
		return
	}
	pages := message.New("%d scanned pages", n)
	if s.Recogniser == nil {
		report(Finding{LevelOK, aboutScans, message.New("the text of %v is not recognised: --ocr off", pages), ""})
		return
	}
	switch err := s.Recogniser.Open(ctx); {
	case errors.Is(err, ocr.ErrNotInstalled):
		report(Finding{LevelWarning, aboutScans, message.New("the text of %v is not recognised, so nothing in it is found: tesseract is not installed", pages), adviceOnTesseract()})
	case err != nil:
		report(Finding{LevelWarning, aboutScans, notRecognised(pages, err), adviceOnRecogniser(err)})
	default:
		report(Finding{LevelOK, aboutScans, message.New("the text of %v is still to be recognised, in %s: a server does it gradually, vademecum index FOLDER at once", pages, s.Recogniser.Languages()), ""})
	}
}

// checkChosenRecogniser reports why the OCR program or the languages that the user has chosen
// cannot be used. It applies even if no scans are waiting, as there may be pictures, and scans may
// be added.
func (s *examination) checkChosenRecogniser(ctx context.Context, report func(Finding)) {
	if s.Recogniser == nil || !s.Recogniser.IsConfiguredByUser() {
		return
	}
	if err := s.Recogniser.Open(ctx); err != nil {
		report(Finding{LevelWarning, aboutScans, message.New("the text of scanned pages and pictures cannot be recognised: %v", notice.ErrorLine(err)), adviceOnRecogniser(err)})
	}
}

// adviceOnRecogniser returns advice on an OCR program that does not work.
func adviceOnRecogniser(err error) message.Message {
	var language ocr.LanguageError
	switch {
	case errors.Is(err, ocr.ErrNotInstalled):
		return adviceOnTesseract()
	case errors.As(err, &language):
		return adviceOnLanguages(language)
	}
	return message.New("see whether tesseract --list-langs works and lists the languages of your documents, or name another program with --ocr PROGRAM")
}

func notRecognised(pages message.Message, why error) message.Message {
	return message.New("the text of %v is not recognised: %v", pages, notice.ErrorLine(why))
}

// adviceOnLanguages returns advice on a recognition language that is not installed.
func adviceOnLanguages(e ocr.LanguageError) message.Message {
	if e.InstalledLanguages == "" {
		return message.New("install the data of that language for tesseract")
	}
	return message.New("install the data of that language for tesseract, name languages that are installed, such as --ocr-lang %s, or leave --ocr-lang out", e.InstalledLanguages)
}

// checkPictures reports how many pictures have text that is not recognised because no OCR program
// or converter is installed.
func (s *examination) checkPictures(_ context.Context, report func(Finding)) {
	if s.Recogniser == nil {
		return
	}
	if pictures := s.unreadPictures(); pictures != "" && !s.Recogniser.IsInstalled() {
		report(Finding{LevelOK, aboutPictures, message.New("%v may have text, which is not recognised without tesseract: %v", pictures, adviceOnTesseract()), ""})
	}
	n := s.status.UnconvertiblePictures
	if n == 0 || !s.Recogniser.IsInstalled() {
		return
	}
	pictures := message.New("%d pictures", n)
	report(Finding{LevelWarning, aboutPictures, message.New("%v in HEIC can be neither shown nor recognised: no program to convert such pictures is installed", pictures), adviceOnHEIC()})
}

// unreadPictures describes the files that may contain unrecognised text, which include all PDFs
// before the first indexing.
func (s *examination) unreadPictures() message.Message {
	isIndexed := slices.ContainsFunc(s.status.Folders, func(f index.FolderStatus) bool { return f.Bytes > 0 })
	switch {
	case !isIndexed && s.pictures > 0:
		return message.New("pictures and PDF files (%d)", s.pictures)
	case s.status.PicturesToRecognise > 0 && s.status.PagesToRecognise == 0:
		return message.New("%d pictures", s.status.PicturesToRecognise)
	}
	return ""
}

// adviceOnHEIC returns how to install a converter for HEIC pictures on this system.
func adviceOnHEIC() message.Message {
	switch runtime.GOOS {
	case "darwin":
		return "brew install libheif"
	case "windows":
		return "winget install ImageMagick.ImageMagick"
	}
	for _, manager := range []struct{ program, command string }{
		{"apt-get", "sudo apt-get install libheif-examples"},
		{"dnf", "sudo dnf install libheif-tools"},
		{"pacman", "sudo pacman -S libheif"},
		{"apk", "doas apk add libheif-tools"},
	} {
		if _, err := exec.LookPath(manager.program); err == nil {
			return message.Message(manager.command)
		}
	}
	return message.New("install heif-convert (libheif) or ImageMagick")
}

// adviceOnTesseract returns how to install Tesseract, with Chinese, on this system.
func adviceOnTesseract() message.Message {
	switch runtime.GOOS {
	case "darwin":
		return "brew install tesseract tesseract-lang"
	case "windows":
		return message.New("winget install UB-Mannheim.TesseractOCR, and select Chinese in its installer")
	}
	for _, manager := range []struct {
		program string
		command message.Message
	}{
		{"apt-get", "sudo apt-get install tesseract-ocr tesseract-ocr-chi-sim"},
		{"dnf", "sudo dnf install tesseract tesseract-langpack-chi_sim"},
		{"pacman", "sudo pacman -S tesseract tesseract-data-eng tesseract-data-chi_sim"},
		{"apk", "doas apk add tesseract-ocr tesseract-ocr-data-eng tesseract-ocr-data-chi_sim"},
	} {
		if _, err := exec.LookPath(manager.program); err == nil {
			return manager.command
		}
	}
	return message.New("install tesseract, version 4 or later, with its data for English and Chinese (eng, chi_sim)")
}
