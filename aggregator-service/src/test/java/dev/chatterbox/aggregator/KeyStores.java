package dev.chatterbox.aggregator;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The key store that proves a broker's identity on 127.0.0.1, and the one that its clients trust; made by keytool.
 *
 * @param identity PKCS 12, of the broker's key and certificate
 * @param certificate the same certificate as PEM
 * @param key the same key as PEM
 * @param trust PKCS 12, of the certificate alone
 */
record KeyStores(Path identity, Path certificate, Path key, Path trust) {

    private static final String ALIAS = "broker";

    static KeyStores make(Path directory, String password) throws Exception {
        KeyStores stores = new KeyStores(
                directory.resolve("identity.p12"),
                directory.resolve("certificate.pem"),
                directory.resolve("key.pem"),
                directory.resolve("trust.p12"));
        String of = stores.identity.toString();
        keytool(
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=broker",
                "-ext",
                "san=ip:127.0.0.1",
                "-keystore",
                of,
                "-storepass",
                password);
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                ALIAS,
                "-file",
                stores.certificate.toString(),
                "-keystore",
                of,
                "-storepass",
                password);
        keytool(
                "-importcert",
                "-noprompt",
                "-alias",
                ALIAS,
                "-file",
                stores.certificate.toString(),
                "-keystore",
                stores.trust.toString(),
                "-storepass",
                password);
        stores.writeKey(password);
        return stores;
    }

    /** Writes the key as PEM, which keytool cannot do. */
    private void writeKey(String password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(identity)) {
            store.load(file, password.toCharArray());
        }
        byte[] encoded = store.getKey(ALIAS, password.toCharArray()).getEncoded();
        Files.writeString(
                key,
                "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                        .formatted(Base64.getMimeEncoder().encodeToString(encoded)));
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new AssertionError("keytool: " + said);
        }
    }
}
