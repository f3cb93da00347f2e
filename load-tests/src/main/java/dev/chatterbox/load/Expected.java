package dev.chatterbox.load;

import io.netty.handler.codec.http.HttpHeaders;

/** What makes an answer right. May be used by several threads. */
interface Expected {

    Judgement judge(int status, HttpHeaders headers, byte[] answer);
}
