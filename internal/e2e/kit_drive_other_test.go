//go:build !linux

package e2e

import "testing"

// mountSlowDrive returns nil: a drive can be mounted by a test on Linux only.
func mountSlowDrive(*testing.T) slowDrive { return nil }
