package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatterbox.http.HttpBatchResponderKit;
import dev.chatterbox.variants.ResponderProgram;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Tag("kit")
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "the variant rest-mvc needs virtual threads, so Java 21")
class RestMvcResponderIT extends HttpBatchResponderKit {

    RestMvcResponderIT() {
        super("square-service-mvc", ResponderProgram.HTTP);
    }

    /** So few because the JDK's client sends one request at a time over a connection, 1,300 a second. */
    @Override
    public int messages() {
        return 20_000;
    }

    /** Spring flushes what Jackson has written, so that Tomcat cannot know the length. */
    @Override
    @Test
    protected void answersABareJsonNumber() {
        HttpResponse<String> response = service.get("/api/square/unary/46341");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(response.headers().firstValue("transfer-encoding")).hasValue("chunked");
        assertThat(response.body()).isEqualTo("2147488281");
    }
}
