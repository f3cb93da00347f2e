package dev.chatterbox.responder;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Tuple;

/**
 * Changes a message before a test uses it: some of its bytes are changed, or random bytes that nobody meant to send
 * replace it.
 *
 * <p>The generators are jqwik's; the tests are Jupiter's. jqwik's own engine does not run the set-up of our kits
 * ({@code @BeforeEach} and the like), and it runs one try after the other, but a hundred thousand messages need many
 * tries at once. So there is no shrinking: a failing test names its seed and the bytes.
 */
public final class Mutations {

    /** jqwik's default number of tries; it decides how often jqwik generates the edges of a range. */
    private static final int TRIES = 1_000;

    private Mutations() {}

    /** The values of an arbitrary, one after the other, within a {@code JqwikSession}; equal for equal random seeds. */
    public static <T> Supplier<T> of(Arbitrary<T> arbitrary, Random random) {
        RandomGenerator<T> generator = arbitrary.generator(TRIES, true);
        return () -> generator.next(random).value();
    }

    /** Each leaves the message that it is given as it is, and returns another. */
    public static Arbitrary<UnaryOperator<byte[]>> messages() {
        Arbitrary<UnaryOperator<byte[]>> replaced =
                Arbitraries.bytes().array(byte[].class).ofMaxSize(64).map(bytes -> message -> bytes);
        Arbitrary<UnaryOperator<byte[]>> edited =
                edits().list().ofMinSize(1).ofMaxSize(4).map(edits -> message -> edited(message, edits));
        return Arbitraries.frequencyOf(Tuple.of(1, replaced), Tuple.of(3, edited));
    }

    private static byte[] edited(byte[] message, List<UnaryOperator<byte[]>> edits) {
        byte[] edited = message;
        for (UnaryOperator<byte[]> edit : edits) {
            edited = edit.apply(edited);
        }
        return edited;
    }

    private static Arbitrary<UnaryOperator<byte[]>> edits() {
        return Combinators.combine(
                        Arbitraries.of(Edit.class), Arbitraries.integers().between(0, 1 << 20), Arbitraries.bytes())
                .as((edit, at, value) ->
                        message -> message.length == 0 ? message : edit.of(message, at % message.length, value));
    }

    private enum Edit {
        CHANGE {
            @Override
            byte[] of(byte[] message, int at, byte value) {
                byte[] changed = message.clone();
                changed[at] = value;
                return changed;
            }
        },
        FLIP {
            @Override
            byte[] of(byte[] message, int at, byte value) {
                return CHANGE.of(message, at, (byte) (message[at] ^ 1 << (value & 7)));
            }
        },
        CUT {
            @Override
            byte[] of(byte[] message, int at, byte value) {
                return Arrays.copyOf(message, at);
            }
        },
        INSERT {
            @Override
            byte[] of(byte[] message, int at, byte value) {
                byte[] longer = Arrays.copyOf(message, message.length + 1);
                longer[at] = value;
                System.arraycopy(message, at, longer, at + 1, message.length - at);
                return longer;
            }
        },
        DOUBLE {
            @Override
            byte[] of(byte[] message, int at, byte value) {
                byte[] doubled = Arrays.copyOf(message, message.length + at);
                System.arraycopy(message, 0, doubled, message.length, at);
                return doubled;
            }
        };

        /** @param at less than the message's length */
        abstract byte[] of(byte[] message, int at, byte value);
    }
}
