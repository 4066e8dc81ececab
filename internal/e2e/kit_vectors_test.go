package e2e

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/url"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"vademecum/embed"
)

// vectorCount is the number of passages and the number of those without a vector, according to
// status.
type vectorCount struct {
	Passages, Bare int
}

func countVectors(t *testing.T, dir, file, spec string) vectorCount {
	t.Helper()
	out, err := vademecum(t, "status", dir, "--index", file, "--embed", spec, "--json").Output()
	if err != nil {
		t.Fatalf("status: %v", err)
	}
	var status struct {
		Passages int `json:"passages"`
		Bare     int `json:"passages_without_vector"`
	}
	if err := json.Unmarshal(out, &status); err != nil {
		t.Fatalf("status says %s, %v", out, err)
	}
	return vectorCount{status.Passages, status.Bare}
}

// openBeside opens an index to which a server may be writing, and waits for it like servers wait
// for each other. A transaction takes the write lock when it begins.
func openBeside(t *testing.T, file string) *sql.DB {
	t.Helper()
	path := filepath.ToSlash(file)
	if filepath.VolumeName(file) != "" { // a drive of Windows
		path = "/" + path
	}
	source := url.URL{Scheme: "file", Path: path, RawQuery: "_txlock=immediate&_pragma=busy_timeout(10000)"}
	db, err := sql.Open("sqlite", source.String())
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// savedVectors returns the vectors in an index, of any model, by the key of the text: the first
// half of its SHA-256. A vector is stored as float32, followed by a checksum of three bytes.
func savedVectors(t *testing.T, file string) map[[16]byte][]float32 {
	t.Helper()
	db := openBeside(t, file)
	defer db.Close()
	rows, err := db.Query("SELECT text_key, vector FROM vectors")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	saved := make(map[[16]byte][]float32)
	for rows.Next() {
		var key, blob []byte
		if err := rows.Scan(&key, &blob); err != nil {
			t.Fatal(err)
		}
		vec := make([]float32, len(blob)/4)
		for i := range vec {
			vec[i] = math.Float32frombits(binary.LittleEndian.Uint32(blob[4*i:]))
		}
		saved[[16]byte(key)] = vec
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return saved
}

func keyOf(text string) [16]byte {
	sum := sha256.Sum256([]byte(text))
	return [16]byte(sum[:16])
}

// checkVectors checks that each text has its own vector and that there are no
// others.
func checkVectors(t *testing.T, file string, texts []string, vector func(string) []float32) {
	t.Helper()
	saved := savedVectors(t, file)
	missing, wrong := 0, 0
	for _, text := range texts {
		vec, ok := saved[keyOf(text)]
		switch {
		case !ok:
			missing++
		case !isUnitOf(vec, vector(text)):
			wrong++
		}
	}
	if missing > 0 || wrong > 0 || len(saved) != len(texts) {
		t.Errorf("of %d texts %d have no vector and %d have a wrong one; %d vectors are saved", len(texts), missing, wrong, len(saved))
	}
}

// underWay is the maximum number of passages that can have been sent, or embedded, and not saved
// yet: those of the concurrent calls.
var underWay = 16 * embed.Properties{}.BatchSize()

// countSaved returns the number of vectors in an index, of all models.
func countSaved(t *testing.T, file string) (n int) {
	t.Helper()
	db := openBeside(t, file)
	defer db.Close()
	if err := db.QueryRow("SELECT COUNT(*) FROM vectors").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// isUnitOf reports whether vec is the vector that a provider has sent, scaled to unit length.
func isUnitOf(vec, given []float32) bool {
	var sum float64
	for _, x := range given {
		sum += float64(x) * float64(x)
	}
	if len(vec) != len(given) {
		return false
	}
	for i, x := range given {
		if math.Abs(float64(vec[i])-float64(x)/math.Sqrt(sum)) > 1e-5 {
			return false
		}
	}
	return true
}
