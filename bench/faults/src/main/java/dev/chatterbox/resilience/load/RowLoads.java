package dev.chatterbox.resilience.load;

import java.util.ArrayList;
import java.util.List;

/** The load on one row or several, which ends with this object. */
public final class RowLoads implements AutoCloseable {

    private final int port;
    private final int calls;
    private final List<VerifiedLoad> loads = new ArrayList<>();

    /**
     * @param port of the aggregator
     * @param calls of each request
     */
    public RowLoads(int port, int calls) {
        this.port = port;
        this.calls = calls;
    }

    /** Starts users who make requests until the end. */
    public RequestRecorder on(String row, int users) {
        RequestRecorder recorder = new RequestRecorder();
        loads.add(new VerifiedLoad(port, row, users, calls, 0, recorder));
        return recorder;
    }

    @Override
    public void close() throws InterruptedException {
        for (VerifiedLoad load : loads) {
            load.close();
        }
    }
}
