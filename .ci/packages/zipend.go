// Command zipend reads a zip file as a strict host does: all that is in it, and nothing
// behind its end.
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "zipend:", err)
		os.Exit(1)
	}
}

func check(name string) error {
	all, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	r, err := zip.NewReader(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		return err
	}
	for _, f := range r.File {
		if err := read(f); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	const end = 22 // bytes of the record that ends an archive without a comment
	if len(all) < end || !bytes.HasPrefix(all[len(all)-end:], []byte("PK\x05\x06")) {
		return fmt.Errorf("%s: something follows the end of the archive", name)
	}
	return nil
}

// mostPacked is how many times smaller than itself a file may be: hosts take more for
// an attack.
const mostPacked = 50

func read(f *zip.File) error {
	if f.UncompressedSize64 > mostPacked*f.CompressedSize64 {
		return fmt.Errorf("%d bytes are packed into %d", f.UncompressedSize64, f.CompressedSize64)
	}
	file, err := f.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(io.Discard, file) // it checks the sum
	return err
}
