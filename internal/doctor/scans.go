package doctor

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"

	"vademecum/docs/ocr"
	"vademecum/index/notice"
	"vademecum/internal/present"
)

// checkScans tells whether the text of scanned pages can be recognised, where there are some.
func (s *examination) checkScans(ctx context.Context, tell func(Finding)) {
	n := s.status.Scans
	if n == 0 {
		return
	}
	pages := notice.CountNoun(n, "scanned page")
	if s.Recogniser == nil {
		tell(Finding{OK, "scans", "the text of " + pages + " is not recognised: --ocr off", ""})
		return
	}
	switch err := s.Recogniser.Open(ctx); {
	case errors.Is(err, ocr.ErrNotFound):
		tell(Finding{Warning, "scans", "the text of " + pages + " is not recognised, so that nothing in it is found: tesseract is not installed", adviceOnTesseract()})
	case err != nil:
		tell(Finding{Warning, "scans", "the text of " + pages + " is not recognised: " + present.ErrorLine(err), "see whether tesseract --list-langs works and lists the languages of your documents, or name another program with --ocr PROGRAM"})
	default:
		tell(Finding{OK, "scans", fmt.Sprintf("the text of %s is still to be recognised, in %s: a server does it by and by, %s at once", pages, s.Recogniser.Languages(), s.Indexing), ""})
	}
}

// checkPictures tells of pictures that would be recognised if a program were there that converts
// them.
func (s *examination) checkPictures(_ context.Context, tell func(Finding)) {
	n := s.status.Unconverted
	if n == 0 || s.Recogniser == nil || !s.Recogniser.IsInstalled() {
		return
	}
	tell(Finding{Warning, "pictures", notice.CountNoun(n, "picture") + " in HEIC can be neither shown nor recognised: no program is installed that converts such pictures", adviceOnHEIC()})
}

// adviceOnHEIC says how to install a program that converts pictures, on this system.
func adviceOnHEIC() string {
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
			return manager.command
		}
	}
	return "install heif-convert (libheif) or ImageMagick"
}

// adviceOnTesseract says how to install it, with Chinese, on this system.
func adviceOnTesseract() string {
	switch runtime.GOOS {
	case "darwin":
		return "brew install tesseract tesseract-lang"
	case "windows":
		return "winget install UB-Mannheim.TesseractOCR, and choose Chinese among the languages of its installer"
	}
	for _, manager := range []struct{ program, command string }{
		{"apt-get", "sudo apt-get install tesseract-ocr tesseract-ocr-chi-sim"},
		{"dnf", "sudo dnf install tesseract tesseract-langpack-chi_sim"},
		{"pacman", "sudo pacman -S tesseract tesseract-data-eng tesseract-data-chi_sim"},
		{"apk", "doas apk add tesseract-ocr tesseract-ocr-data-eng tesseract-ocr-data-chi_sim"},
	} {
		if _, err := exec.LookPath(manager.program); err == nil {
			return manager.command
		}
	}
	return "install tesseract, version 4 or later, with its data for English and Chinese (eng, chi_sim)"
}
