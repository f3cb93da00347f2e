package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PooledRestClientTests {

    private static final List<SocketAddress> ADDRESSES = IntStream.of(1, 2, 3)
            .<SocketAddress>mapToObj(host -> new InetSocketAddress("127.0.0." + host, 8081))
            .toList();

    /** A name server answers in an order of its own, and each of them still gets its third of the connections. */
    @Test
    void connectsToTheAddressesOfANameInTurn() {
        Random random = new Random(1);

        List<SocketAddress> first = IntStream.range(-150, 150)
                .<SocketAddress>mapToObj(turn -> {
                    List<SocketAddress> answer = new ArrayList<>(ADDRESSES);
                    Collections.shuffle(answer, random);
                    return PooledRestClient.inTurn(answer, turn).get(0);
                })
                .toList();

        assertThat(ADDRESSES)
                .allSatisfy(address ->
                        assertThat(Collections.frequency(first, address)).isEqualTo(100));
    }

    /** Perhaps nobody listens at the second address of localhost. */
    @Test
    void usesIpv6OnlyForANameWithoutIpv4() {
        SocketAddress ipv6 = new InetSocketAddress("::1", 8081);

        assertThat(new ArrayList<SocketAddress>(PooledRestClient.inTurn(List.of(ipv6), 1)))
                .containsExactly(ipv6);
        assertThat(new ArrayList<SocketAddress>(PooledRestClient.inTurn(List.of(ipv6, ADDRESSES.get(0)), 1)))
                .containsExactly(ADDRESSES.get(0));
    }

    /** A square service that is gone does not keep others from being used. */
    @Test
    void triesTheOtherAddressesNext() {
        List<SocketAddress> tried = new ArrayList<>(PooledRestClient.inTurn(ADDRESSES, 2));

        assertThat(tried).containsExactly(ADDRESSES.get(2), ADDRESSES.get(0), ADDRESSES.get(1));
    }
}
