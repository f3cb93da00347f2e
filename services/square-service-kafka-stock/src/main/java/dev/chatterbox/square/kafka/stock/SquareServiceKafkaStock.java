package dev.chatterbox.square.kafka.stock;

import dev.chatterbox.kafka.stock.KafkaStockResponder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

@SpringBootApplication
@Import(KafkaStockResponder.class)
public class SquareServiceKafkaStock {

    public static void main(String[] args) {
        SpringApplication.run(SquareServiceKafkaStock.class, args);
    }
}
