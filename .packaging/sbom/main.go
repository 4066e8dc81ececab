// Command sbom lists what a program is made of, as the compiler has written it into
// the program, in the format CycloneDX. Of the same program it makes the same list:
// neither a time nor a random number is in it.
//
//	sbom PROGRAM NAME VERSION FILE
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM NAME VERSION FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// bill and what follows are the parts of CycloneDX 1.6 that are used here.
type bill struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	URL        string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

func write(program, name, version, file string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	sum, err := sumOf(program)
	if err != nil {
		return err
	}
	b := bill{Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: metadata{component{
		Ref: name, Type: "application", Name: name, Version: version,
		Hashes: []hash{{"SHA-256", sum}}, Properties: settings(info),
	}}}
	on := dependency{Ref: name}
	for _, c := range parts(info) {
		b.Components = append(b.Components, c)
		on.On = append(on.On, c.Ref)
	}
	b.Dependencies = []dependency{on}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

func sumOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// settings are what the program was built for, and of which commit.
func settings(info *debug.BuildInfo) (all []property) {
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "GO") || strings.HasPrefix(s.Key, "vcs.") || s.Key == "CGO_ENABLED" {
			all = append(all, property{"go:" + s.Key, s.Value})
		}
	}
	return all
}

// parts are the modules in the program, and the standard library.
func parts(info *debug.BuildInfo) []component {
	std := strings.TrimPrefix(strings.Fields(info.GoVersion)[0], "go")
	all := []component{{Type: "library", Name: "stdlib", Version: std, URL: "pkg:golang/stdlib@" + std}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component{Type: "library", Name: m.Path, Version: m.Version, URL: "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(m.Version, "+", "%2B")}
		if m.Sum != "" { // of the module's files, as go.sum has it
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		all = append(all, c)
	}
	for i := range all {
		all[i].Ref = all[i].URL
	}
	slices.SortFunc(all, func(a, b component) int { return strings.Compare(a.Ref, b.Ref) })
	return all
}
