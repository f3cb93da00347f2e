package dev.chatterbox.rabbitmq;

import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import com.rabbitmq.client.Channel;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AcknowledgementsTests {

    private final Channel channel = mock(Channel.class);
    private final Acknowledgements acknowledgements = new Acknowledgements(channel, 50);

    @Test
    void acknowledgesABatchAtOnce() throws Exception {
        LongStream.rangeClosed(1, 120).forEach(acknowledgements::finished);
        verify(channel).basicAck(50, true);
        verify(channel).basicAck(100, true);
        verifyNoMoreInteractions(channel);

        acknowledgements.acknowledge();
        acknowledgements.acknowledge();
        verify(channel).basicAck(120, true);
        verifyNoMoreInteractions(channel);
    }

    @Test
    void acknowledgesNothingBeyondOneThatIsUnfinished() throws Exception {
        LongStream.rangeClosed(1, 200).filter(tag -> tag != 3).forEach(acknowledgements::finished);
        acknowledgements.acknowledge();
        verify(channel).basicAck(2, true);
        verifyNoMoreInteractions(channel);

        acknowledgements.finished(3);
        verify(channel).basicAck(200, true);
        verifyNoMoreInteractions(channel);
    }

    @Test
    void acknowledgesNothingWhereNothingIsFinished() throws Exception {
        acknowledgements.acknowledge();
        verify(channel, never()).basicAck(anyLong(), anyBoolean());
    }
}
