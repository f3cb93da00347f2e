package dev.chatterbox.workloads;

import java.math.BigDecimal;
import java.math.MathContext;

/** How requests come: closed (a number of users, each of whom waits for its answer) or open (at a rate, whatever is answered). */
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
     * A share of the most requests per second that the row reached in the closed model of the same run. Becomes a
     * {@link Rate} when that is known.
     *
     * @param ofCapacity more than 0, at most 2
     */
    record Share(double ofCapacity) implements Load {

        public Share {
            Workload.require(
                    ofCapacity > 0 && ofCapacity <= 2,
                    "a rate in percent must be 1 to 200 percent of the capacity, but it is %s",
                    plain(ofCapacity * 100) + "%");
        }

        @Override
        public String toString() {
            return "rate=" + plain(ofCapacity * 100) + "%";
        }
    }

    default boolean isOpen() {
        return !(this instanceof Users);
    }

    /** To six digits, without an exponent and without zeros at the end. */
    private static String plain(double number) {
        return new BigDecimal(number)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
    }
}
