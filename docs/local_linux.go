package docs

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// localSystems are the file systems that only this machine can change, so that it gets events for
// all changes. Unknown file systems, and those in user space (FUSE), may be changed by other
// machines.
var localSystems = []int64{
	unix.BTRFS_SUPER_MAGIC, unix.EXT4_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.MSDOS_SUPER_MAGIC, unix.NILFS_SUPER_MAGIC,
	unix.OVERLAYFS_SUPER_MAGIC, unix.RAMFS_MAGIC, unix.REISERFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.XFS_SUPER_MAGIC,
	unix.ECRYPTFS_SUPER_MAGIC, unix.EXFAT_SUPER_MAGIC,
	0x2fc12fc1, // ZFS
	0xca451a4e, // bcachefs
	0x3153464a, // JFS
	0x7366746e, // NTFS driver of the kernel
}

// isLocal reports whether only this machine can change a directory.
func isLocal(dir *os.File) bool {
	var s unix.Statfs_t
	return unix.Fstatfs(int(dir.Fd()), &s) == nil && slices.Contains(localSystems, int64(s.Type)&0xffffffff)
}
