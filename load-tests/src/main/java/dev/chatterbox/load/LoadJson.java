package dev.chatterbox.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.chatterbox.workloads.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads plans, and writes events and results. */
final class LoadJson {

    /** With workloads in their text form. */
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(Workload.class, ToStringSerializer.instance)
                    .addDeserializer(Workload.class, new WorkloadReader()))
            .build();

    private static final class WorkloadReader extends StdDeserializer<Workload> {

        WorkloadReader() {
            super(Workload.class);
        }

        @Override
        public Workload deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return Workload.parse(json.getText());
        }
    }

    private LoadJson() {}

    static String line(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Jackson wraps what a record's constructor throws. */
    static Throwable rootCause(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
