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
     * A share of the most requests per second that the slowest of the compared variants reached in the closed model of
     * the same run. It becomes a {@link Rate} when this capacity is known.
     *
     * @param ofSlowest more than 0, at most 2
     */
    record Share(double ofSlowest) implements Load {

        static final String SUFFIX = "%-of-slowest";

        public Share {
            Workload.require(
                    ofSlowest > 0 && ofSlowest <= 2,
                    "a rate in percent must be more than 0 and at most 200 percent of the slowest variant's capacity, but it is %s%%",
                    plain(ofSlowest * 100));
        }

        /**
         * The share of a capacity, rounded down to 1, 2 or 5 times a power of ten, so that two runs have it in common.
         *
         * @param capacity requests per second, more than 0
         */
        public Rate of(double capacity) {
            double share = ofSlowest * capacity;
            double power = Math.pow(10, Math.floor(Math.log10(share)));
            double digit = share / power >= 5 ? 5 : share / power >= 2 ? 2 : 1;
            return new Rate(digit * power);
        }

        @Override
        public String toString() {
            return "rate=" + plain(ofSlowest * 100) + SUFFIX;
        }
    }

    /**
     * Reads a rate: requests per second, or a share such as {@code 50%-of-slowest}.
     *
     * @throws WorkloadException the text is neither
     */
    static Load ofRate(String text) {
        boolean isShare = text.endsWith(Share.SUFFIX);
        String number = isShare ? text.substring(0, text.length() - Share.SUFFIX.length()) : text;
        Workload.require(number.matches("[0-9]{1,9}(\\.[0-9]{1,9})?"), "rate must be a number, but it is '%s'", text);
        return isShare ? new Share(Double.parseDouble(number) / 100) : new Rate(Double.parseDouble(number));
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
