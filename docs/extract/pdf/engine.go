package pdf

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"vademecum/docs/extract"
)

// maxEnginePages is the maximum memory of the engine in pages of 64 KB, 128 MB in all: hostile
// files would use up any amount.
const maxEnginePages = 2048

// engine is PDFium, compiled from WebAssembly to machine code.
var engine struct {
	start sync.Once
	pool  pdfium.Pool
	err   error
}

// sharedEngine returns the engine. The first call starts it, which takes some 60 ms, or 2 s if it
// has to be compiled.
func sharedEngine(p extract.ProgressReporter) (pdfium.Pool, error) {
	engine.start.Do(func() {
		defer p.ReportPreparation()()
		engine.pool, engine.err = startEngine()
	})
	return engine.pool, engine.err
}

// startEngine starts PDFium, from the cache or by compiling it.
//
// Stopping when a context ends is not enabled: it would make the engine four times slower, and the
// parent process kills this process anyway.
func startEngine() (pdfium.Pool, error) {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(maxEnginePages).WithDebugInfoEnabled(false)
	if cache, err := openEngineCache(); err == nil {
		engine, err := startPDFium(config.WithCompilationCache(cache))
		if err == nil {
			writeMissingSums()
			return engine, nil
		}
	}
	return startPDFium(config) // without the cache, starting only takes longer
}

// startPDFium starts the engine, which can access no file except the font of fontFiles.
func startPDFium(config wazero.RuntimeConfig) (pdfium.Pool, error) {
	engine, err := webassembly.Init(webassembly.Config{
		Context:       experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(allocateMemory)),
		MaxIdle:       1,
		MaxTotal:      1,
		FSConfig:      wazero.NewFSConfig().WithFSMount(fontFiles(), "/"),
		RuntimeConfig: config,
		Stdout:        io.Discard, // the standard output carries the messages of the child process to its parent
		Stderr:        io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("start the PDF engine: %w", err)
	}
	return engine, nil
}
