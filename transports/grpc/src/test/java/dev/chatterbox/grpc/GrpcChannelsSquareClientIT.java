package dev.chatterbox.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.client.DirectPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same client with several channels. */
@Tag("long")
class GrpcChannelsSquareClientIT extends GrpcSquareClientIT {

    @Override
    protected String variant() {
        return "grpc-channels";
    }

    @Test
    void hasAConnectionForEachChannel() {
        DirectPeer peer = open(peer());
        ready(client());
        assertThat(peer.connections()).isEqualTo(4);
    }
}
