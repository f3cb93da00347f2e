package dev.chatterbox.workloads;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * How requests come: closed (a number of users, each of whom waits for its answer) or open (at a rate, whether they are
 * answered or not).
 */
public sealed interface Load {

    /** So many users of the closed model, each with one request at a time. */
    record Users(int count) implements Load {

        public Users {
            Workload.require(count >= 1, "users must be 1 or more, but it is %s", count);
        }

        @Override
        public String toString() {
            return "users=" + count;
        }
    }

    /** So many requests per second of the open model. */
    record Rate(double perSecond) implements Load {

        public Rate {
            Workload.require(
                    perSecond > 0 && perSecond <= 1e6,
                    "rate must be more than 0 and at most 1000000 requests per second, but it is %s",
                    perSecond);
        }

        @Override
        public String toString() {
            return "rate=" + plain(perSecond);
        }
    }

    /**
     * A share of the most requests per second that was reached in the closed model of the same run. It becomes a
     * {@link Rate} when this capacity is known.
     *
     * @param ofCapacity more than 0, at most 2
     * @param ofSlowest whether the capacity is that of the slowest of the compared variants, and not the variant's own
     */
    record Share(double ofCapacity, boolean ofSlowest) implements Load {

        static final String SUFFIX = "%";
        static final String SUFFIX_OF_SLOWEST = "%-of-slowest";

        public Share {
            Workload.require(
                    ofCapacity > 0 && ofCapacity <= 2,
                    "a rate in percent must be more than 0 and at most 200 percent of %s, but it is %s",
                    ofSlowest ? "the slowest variant's capacity" : "the capacity",
                    plain(ofCapacity * 100) + "%");
        }

        /**
         * The share of a capacity. It is rounded to three digits; of the slowest variant's capacity it is rounded down
         * to 1, 2 or 5 times a power of ten, so that two runs have it in common.
         *
         * @param capacity requests per second, more than 0
         */
        public Rate of(double capacity) {
            double share = ofCapacity * capacity;
            if (!ofSlowest) {
                return new Rate(new BigDecimal(share).round(new MathContext(3)).doubleValue());
            }
            double power = Math.pow(10, Math.floor(Math.log10(share)));
            double digit = share / power >= 5 ? 5 : share / power >= 2 ? 2 : 1;
            return new Rate(digit * power);
        }

        @Override
        public String toString() {
            return "rate=" + plain(ofCapacity * 100) + (ofSlowest ? SUFFIX_OF_SLOWEST : SUFFIX);
        }
    }

    /**
     * Reads a rate: requests per second, or a share in percent.
     *
     * @throws WorkloadException the text is neither
     */
    static Load ofRate(String text) {
        boolean ofSlowest = text.endsWith(Share.SUFFIX_OF_SLOWEST);
        if (ofSlowest || text.endsWith(Share.SUFFIX)) {
            return new Share(number(text, ofSlowest ? Share.SUFFIX_OF_SLOWEST : Share.SUFFIX) / 100, ofSlowest);
        }
        return new Rate(number(text, ""));
    }

    private static double number(String text, String suffix) {
        String number = text.substring(0, text.length() - suffix.length());
        Workload.require(number.matches("[0-9]{1,9}(\\.[0-9]{1,9})?"), "rate must be a number, but it is '%s'", text);
        return Double.parseDouble(number);
    }

    default boolean isOpen() {
        return !(this instanceof Users);
    }

    /** The number with six digits, without an exponent and without zeros at the end. */
    private static String plain(double number) {
        return new BigDecimal(number)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
    }
}
