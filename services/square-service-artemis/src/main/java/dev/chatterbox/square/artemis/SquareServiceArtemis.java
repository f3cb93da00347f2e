package dev.chatterbox.square.artemis;

import dev.chatterbox.artemis.ArtemisResponder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@SpringBootApplication
@Import(ArtemisResponder.class)
public class SquareServiceArtemis {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceArtemis.class, args);
    }
}
