package dev.chatterbox.processes;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A disk whose power can be cut: an ext4 file system in an image file, on a loop device. What was synced on it is in the
 * image file, which a cut does not touch. Needs root.
 *
 * @param folder where it is or was mounted
 */
public record LoopDisk(Path folder) implements AutoCloseable {

    /** The label by which a disk is found that a run has left when it was killed. Ext4 has room for 16 bytes. */
    private static final String LABEL = "chatterbox-power";

    /** A minute of Kafka takes 2 GB. */
    private static final long BYTES = 4L << 30;

    /** More than what ext4 holds back for itself, which is at most 4096 blocks of 4 kB. */
    private static final long LAST_BYTES = 32L << 20;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The image is beside the folder, and takes as much disk as is written. */
    private Path image() {
        return folder.resolveSibling(folder.getFileName() + ".img");
    }

    /**
     * Makes an empty disk. Until it is closed, it covers what is in the folder.
     *
     * @param folder where it is mounted; created if absent
     * @throws ProcessException this machine cannot have such a disk; the message says in one line why
     */
    public static LoopDisk mount(Path folder) {
        LoopDisk disk = new LoopDisk(folder);
        try {
            Files.createDirectories(folder);
            long free = Files.getFileStore(folder).getUsableSpace();
            if (free < BYTES) {
                throw new ProcessException("its image may grow to %,d MiB, and %,d MiB are free in %s"
                        .formatted(BYTES >> 20, free >> 20, folder.getParent()));
            }
            try (RandomAccessFile file = new RandomAccessFile(disk.image().toFile(), "rw")) {
                file.setLength(BYTES);
            }
            run("mkfs.ext4", "-q", "-F", "-L", LABEL, disk.image().toString());
            disk.mount();
            // Kafka takes each folder beside its own for a topic's.
            Files.delete(folder.resolve("lost+found"));
            return disk;
        } catch (IOException | RuntimeException e) {
            disk.close();
            throw e instanceof ProcessException known ? known : failure(e);
        }
    }

    /**
     * What this machine lacks for such disks, in one sentence; empty if it has all.
     *
     * @param folder where it is tried
     */
    public static Optional<String> lack(Path folder) {
        try (LoopDisk disk = mount(folder)) {
            disk.cutPower();
            return Optional.empty();
        } catch (ProcessException e) {
            return Optional.of("A disk that fails needs root, a loop device, ext4 and Python 3: " + e.line());
        }
    }

    /** The disk that is mounted at a folder, if there is one. */
    public static Optional<LoopDisk> at(Path folder) {
        return Optional.of(new LoopDisk(folder)).filter(disk -> Files.exists(disk.image()));
    }

    private void mount() {
        run("mount", "-o", "loop", image().toString(), folder.toString());
    }

    /** All that was written so far is on the disk afterwards. */
    public void sync() {
        run("sync", "--file-system", folder.toString());
    }

    /** The file system forgets at once what was never synced, and refuses all that is written afterwards. */
    public void cutPower() {
        run("python3", "-c", Io.resource(LoopDisk.class, "cut-power.py"), folder.toString());
    }

    /** Takes all the space that is left, until {@link #free} gives it back. */
    public void fill() {
        Path filler = filler();
        long left = folder.toFile().getFreeSpace();
        run("fallocate", "--length", Long.toString(Math.max(1, left - LAST_BYTES)), filler.toString());
        fillTheRest(filler, 1 << 16);
        fillTheRest(filler, 1 << 12);
        if (folder.toFile().getFreeSpace() > LAST_BYTES) {
            throw new ProcessException(filler + " does not fill the disk");
        }
    }

    /** Only writing finds where the space ends, and only what is synced has its space. */
    private static void fillTheRest(Path file, int blockBytes) {
        byte[] block = new byte[blockBytes];
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.APPEND, StandardOpenOption.DSYNC)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException noSpaceLeft) {
            // This is what was wanted; the caller checks it.
        }
    }

    /** Gives back what {@link #fill} took. */
    public void free() {
        delete(filler());
    }

    private Path filler() {
        return folder.resolve("chatterbox-filler");
    }

    /** The power is back: the disk has what was synced before the cut. No process may have a file of it open. */
    public void restorePower() {
        run("umount", folder.toString());
        mount();
    }

    /**
     * Unmounts the disk if there is one with our label, and deletes it. No process may have a file of it open.
     *
     * @throws ProcessException it is in use, or has another label
     */
    @Override
    public void close() {
        if (!Files.exists(image())) {
            return;
        }
        run("losetup", "--associated", image().toString(), "--noheadings", "--output", "NAME")
                .lines()
                .map(String::strip)
                .forEach(LoopDisk::removeDevice);
        delete(image());
    }

    private static void removeDevice(String device) {
        String label = run("e2label", device);
        if (!label.equals(LABEL)) {
            throw new ProcessException(
                    "%s has the label '%s', and not ours: unmount it yourself".formatted(device, label));
        }
        boolean isMounted = Proc.text("mounts").orElse("").lines().anyMatch(line -> line.startsWith(device + " "));
        // A device that was made by mount is gone after its last mount.
        if (isMounted) {
            run("umount", "--all-targets", device);
        } else {
            run("losetup", "--detach", device);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private static String run(String... command) {
        try {
            return Command.run(TIMEOUT, List.of(command));
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private static ProcessException failure(Exception e) {
        return new ProcessException(String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
    }
}
