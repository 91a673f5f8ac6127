import java.nio.file.Path;
import java.time.Duration;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.io.ByteUnit;

/** A Neo4j Community server for tests: java Server.java DIRECTORY PORT PASSWORD. It ends with its process.
 * A plan is made anew after the time in the property replan (PT10S), where the statistics have changed. */
public class Server {
    public static void main(String[] args) {
        var address = new SocketAddress("127.0.0.1", Integer.parseInt(args[1]));
        var server = new DatabaseManagementServiceBuilder(Path.of(args[0]))
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, address)
                .setConfig(BoltConnector.advertised_address, address)
                .setConfig(GraphDatabaseSettings.auth_enabled, true)
                .setConfig(GraphDatabaseSettings.auth_minimum_password_length, 1)
                .setConfig(GraphDatabaseSettings.pagecache_memory, ByteUnit.mebiBytes(512))
                // what one transaction may take: a query that reads too much fails here, before it does elsewhere
                .setConfig(GraphDatabaseSettings.memory_transaction_max_size, ByteUnit.mebiBytes(64))
                .setConfig(GraphDatabaseSettings.cypher_min_replan_interval, Duration.parse(System.getProperty("replan", "PT10S")))
                // the table of a plan, in which a test looks for scans
                .setConfig(GraphDatabaseSettings.cypher_render_plan_descriptions, true)
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
        server.database(GraphDatabaseSettings.SYSTEM_DATABASE_NAME).executeTransactionally(
                "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", java.util.Map.of("password", args[2]));
        System.out.println("Neo4j answers at " + address);
    }
}
