package dev.chatterbox.processes;

import dev.chatterbox.processes.programs.Cache;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A disk whose power can be cut: an ext4 file system in an image file, on a loop device. What was synced on it is in the
 * image file, which a cut does not touch. Needs root.
 */
public final class LoopDisk implements AutoCloseable {

    /** The label by which a disk is found that a run has left when it was killed. Ext4 has room for 16 bytes. */
    private static final String LABEL = "chatterbox-power";

    private static final String IMAGE = "power.img";

    /** A minute of Kafka takes 2 GB. */
    private static final long BYTES = 4L << 30;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Path directory;
    private final Path image;
    private final Path folder;

    private LoopDisk(Path directory, Path folder) {
        this.directory = directory;
        this.image = directory.resolve(IMAGE);
        this.folder = folder;
    }

    /**
     * Makes an empty disk. Until it is closed, it covers what is in the folder.
     *
     * @param directory for its image, which takes as much disk as is written; each directory has one disk at most
     * @param folder where it is mounted, below the directory; created if absent
     * @throws ProcessException this machine cannot have such a disk; the message says in one line why
     */
    public static LoopDisk mount(Path directory, Path folder) {
        LoopDisk disk = new LoopDisk(directory, folder);
        try {
            Files.createDirectories(folder);
            long free = Files.getFileStore(directory).getUsableSpace();
            if (free < BYTES) {
                throw new ProcessException("its image may grow to %,d MB, and %,d MB are free in %s"
                        .formatted(BYTES >> 20, free >> 20, directory));
            }
            try (RandomAccessFile file = new RandomAccessFile(disk.image.toFile(), "rw")) {
                file.setLength(BYTES);
            }
            run("mkfs.ext4", "-q", "-F", "-L", LABEL, disk.image.toString());
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
     * @param directory in which it is tried
     */
    public static Optional<String> lack(Path directory) {
        try (LoopDisk disk = mount(directory, directory.resolve("power-trial"))) {
            disk.cutPower();
            return Optional.empty();
        } catch (ProcessException e) {
            return Optional.of("A power cut needs root, a loop device, ext4 and Python 3: " + e.line());
        }
    }

    private void mount() throws IOException {
        run("mount", "-o", "loop", image.toString(), folder.toString());
    }

    /** All that was written so far is on the disk afterwards. */
    public void sync() {
        try {
            run("sync", "--file-system", folder.toString());
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** The file system forgets at once what was never synced, and refuses all that is written afterwards. */
    public void cutPower() {
        try (InputStream script = Objects.requireNonNull(LoopDisk.class.getResourceAsStream("cut-power.py"))) {
            run("python3", "-c", new String(script.readAllBytes(), StandardCharsets.UTF_8), folder.toString());
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** The power is back: the disk has what was synced before the cut. No process may have a file of it open. */
    public void restorePower() {
        try {
            run("umount", folder.toString());
            mount();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Unmounts the disk, and deletes it. No process may have a file of it open. */
    @Override
    public void close() {
        remove(directory);
    }

    /**
     * Unmounts the disk that has our label and whose image is in a directory, and deletes the image.
     *
     * @throws ProcessException it is in use, or has another label
     */
    public static void remove(Path directory) {
        Path image = directory.resolve(IMAGE);
        if (!Files.exists(image)) {
            return;
        }
        try {
            for (Path device : Cache.list(Path.of("/sys/block"))) {
                Path backing = device.resolve("loop/backing_file");
                if (Files.exists(backing)
                        && Files.readString(backing)
                                .strip()
                                .equals(image.toRealPath().toString())) {
                    remove("/dev/" + device.getFileName());
                }
            }
            Files.delete(image);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private static void remove(String device) throws IOException {
        String label = run("e2label", device);
        if (!label.equals(LABEL)) {
            throw new IOException("%s has the label '%s', and not ours: unmount it yourself".formatted(device, label));
        }
        boolean isMounted =
                Files.readAllLines(Path.of("/proc/mounts")).stream().anyMatch(line -> line.startsWith(device + " "));
        // A device that was made by mount is gone after its last mount.
        run(isMounted ? List.of("umount", "--all-targets", device) : List.of("losetup", "--detach", device));
    }

    private static String run(String... command) throws IOException {
        return run(List.of(command));
    }

    private static String run(List<String> command) throws IOException {
        return Command.run(TIMEOUT, command);
    }

    private static ProcessException failure(Exception e) {
        return new ProcessException(String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
    }
}
