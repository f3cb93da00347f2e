"""Shuts an ext4 file system down without writing its journal: it forgets what was never synced. Argument: its mount point."""
import fcntl
import os
import struct
import sys

EXT4_IOC_SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = 2

folder = os.open(sys.argv[1], os.O_RDONLY)
fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
