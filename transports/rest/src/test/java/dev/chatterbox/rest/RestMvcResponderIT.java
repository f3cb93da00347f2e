package dev.chatterbox.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Tag("kit")
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "the variant rest-mvc needs virtual threads, so Java 21")
class RestMvcResponderIT extends RestBatchResponderKit {

    RestMvcResponderIT() {
        super("square-service-mvc");
    }

    /** Spring flushes what Jackson has written, so that Tomcat cannot know the length. */
    @Override
    @Test
    void answersABareJsonNumber() {
        HttpResponse<String> response = service.get("/api/square/unary/46341");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(response.headers().firstValue("transfer-encoding")).hasValue("chunked");
        assertThat(response.body()).isEqualTo("2147488281");
    }
}
