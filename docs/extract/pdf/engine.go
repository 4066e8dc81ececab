package pdf

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"

	"vademecum/docs/extract"
)

// engineMemory is the memory of the engine in pages of 64 KB, which hostile files
// use up: 128 MB.
const engineMemory = 2048

// engine is PDFium, which is WebAssembly, as machine code.
var engine struct {
	start sync.Once
	pool  pdfium.Pool
	err   error
}

// sharedEngine returns the engine. The first call starts it: in some 60 ms, or 2 s
// where it has to be compiled.
func sharedEngine(p extract.Progress) (pdfium.Pool, error) {
	engine.start.Do(func() {
		defer p.Preparing()()
		engine.pool, engine.err = startEngine()
	})
	return engine.pool, engine.err
}

// startEngine starts PDFium, compiled or from the cache.
//
// It is not set up to stop when a context is done: the code for that makes it four times
// as slow, and the parent kills the whole process anyway.
func startEngine() (pdfium.Pool, error) {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(engineMemory).WithDebugInfoEnabled(false)
	if cache, err := openEngineCache(); err == nil {
		engine, err := startPDFium(config.WithCompilationCache(cache))
		if err == nil {
			writeMissingSums()
			return engine, nil
		}
	}
	return startPDFium(config) // a cache that fails only costs time
}

// startPDFium starts the engine without access to any file but our font.
func startPDFium(config wazero.RuntimeConfig) (pdfium.Pool, error) {
	engine, err := webassembly.Init(webassembly.Config{
		Context:       context.Background(),
		MaxIdle:       1,
		MaxTotal:      1,
		FSConfig:      wazero.NewFSConfig().WithFSMount(fontFiles(), "/"),
		RuntimeConfig: config,
		Stdout:        io.Discard, // stdout is the protocol of the child
		Stderr:        io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("start the PDF engine: %w", err)
	}
	return engine, nil
}
