package zipxml

import (
	"archive/zip"
	"bytes"

	"vademecum/docs/extract"
)

// Pack returns a zip archive of files, given as alternating names (string) and contents ([]byte).
// It is for documents whose parts are stored in a single XML file.
func Pack(namesAndContents ...any) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(namesAndContents); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: namesAndContents[i].(string), Method: zip.Store})
		if err != nil {
			return nil, extract.ErrDamagedZip
		}
		if _, err := w.Write(namesAndContents[i+1].([]byte)); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}
