package dev.chatterbox.raw.kafka;

import dev.chatterbox.raw.PipelinedCalls;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Sends on a thread of its own; whoever hands a request over never waits. */
final class SenderThread implements PipelinedCalls.Sender {

    private final PipelinedCalls.Sender sender;
    private final PipelinedCalls calls;
    private final Queue<Integer> numbers = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::sendAll, "raw-requests");
    private volatile boolean parked;

    SenderThread(PipelinedCalls.Sender sender, PipelinedCalls calls) {
        this.sender = sender;
        this.calls = calls;
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void send(int number) {
        numbers.add(number);
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    private void sendAll() {
        while (true) {
            Integer number = numbers.poll();
            if (number != null) {
                try {
                    sender.send(number);
                } catch (Exception e) {
                    calls.unsent(e);
                }
            } else {
                parked = true;
                // One that is added after this look finds it parked.
                if (numbers.isEmpty()) {
                    LockSupport.park(this);
                }
                parked = false;
            }
        }
    }
}
