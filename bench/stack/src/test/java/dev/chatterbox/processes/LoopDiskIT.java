package dev.chatterbox.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs root, and a loop device. */
class LoopDiskIT {

    @TempDir
    Path directory;

    private Path folder;

    @BeforeEach
    void needsRoot() {
        assumeThat(LoopDisk.lack(directory.resolve("trial"))).isEmpty();
        folder = directory.resolve("data");
    }

    @AfterEach
    void unmounts() {
        new LoopDisk(folder).close();
    }

    @Test
    void keepsWhatWasSyncedAndForgetsTheRest() throws IOException {
        try (LoopDisk disk = LoopDisk.mount(folder)) {
            write("synced", true);
            write("older", false);
            disk.sync();
            write("written", false);
            disk.cutPower();
            assertThatThrownBy(() -> write("late", false)).isInstanceOf(IOException.class);
            disk.restorePower();

            assertThat(folder.resolve("synced")).hasContent("synced");
            assertThat(folder.resolve("older")).hasContent("older");
            assertThat(folder.resolve("written")).doesNotExist();
        }
    }

    @Test
    void isFullAndThenHasSpaceAgain() throws IOException {
        try (LoopDisk disk = LoopDisk.mount(folder)) {
            disk.fill();
            assertThatThrownBy(() -> write("late", true)).hasMessageContaining("No space left");
            disk.free();
            write("again", true);
            assertThat(folder.resolve("again")).hasContent("again");
        }
    }

    @Test
    void coversTheFolderUntilItIsClosed() throws IOException {
        Files.createDirectories(folder);
        write("below", false);
        try (LoopDisk disk = LoopDisk.mount(folder)) {
            assertThat(folder).isEmptyDirectory();
        }
        assertThat(folder.resolve("below")).exists();
        assertThat(directory).isDirectoryNotContaining("glob:**.img");
    }

    @Test
    void aDiskThatAKilledCommandLeftIsRemoved() throws IOException {
        LoopDisk left = LoopDisk.mount(folder);
        write("left", false);
        left.cutPower();

        new LoopDisk(folder).close();

        assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aDiskInUseIsNotRemoved() throws IOException {
        try (LoopDisk disk = LoopDisk.mount(folder)) {
            try (FileChannel open =
                    FileChannel.open(folder.resolve("open"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                assertThatThrownBy(() -> new LoopDisk(folder).close())
                        .isInstanceOf(ProcessException.class)
                        .hasMessageContaining("umount failed");
            }
        }
    }

    /** The label is what says that a disk is ours. */
    @Test
    void aDiskWithAnotherLabelStays() throws IOException {
        try (LoopDisk disk = LoopDisk.mount(folder)) {
            String device =
                    Command.run(Duration.ofSeconds(10), List.of("findmnt", "-n", "-o", "SOURCE", folder.toString()));
            relabel(device, "pigeon");
            assertThatThrownBy(() -> new LoopDisk(folder).close()).hasMessageContaining("pigeon");
            assertThat(Files.readString(Path.of("/proc/mounts"))).contains(directory.toString());
            relabel(device, "chatterbox-power");
        }
    }

    private static void relabel(String device, String label) throws IOException {
        Command.run(Duration.ofSeconds(10), List.of("e2label", device, label));
    }

    private void write(String name, boolean synced) throws IOException {
        try (FileChannel file =
                FileChannel.open(folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8)));
            if (synced) {
                file.force(true);
            }
        }
    }
}
