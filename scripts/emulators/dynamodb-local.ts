// Amazon's DynamoDB Local (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.html), from Maven
// Central. Guarantees: one pinned version, tables in memory and the same for every region and key, reachable from this machine
// only.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../deploy-local/child-process.ts';
import { freePort, startServer } from '../deploy-local/server-process.ts';
import { installed } from './installation.ts';
import type { Emulator } from './localstack.ts';

const POM = new URL('./dynamodb-local/pom.xml', import.meta.url);
const SERVER = new URL('./dynamodb-local/server.xml', import.meta.url);

/** `java` and `mvn` must be there. */
export async function startDynamodbLocal(): Promise<Emulator> {
  const libraries = await dynamodbJars();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer({
    name: 'DynamoDB Local',
    // Unsigned, so refused with 400: it listens.
    readyUrl: url,
    program: 'java',
    args: [
      `-Dport=${port}`,
      // SQLite, which keeps the tables, is a native library among the others.
      `-Djava.library.path=${libraries}`,
      '-Xmx1g',
      // It runs for minutes: a quarter of its time went into compiling for hours of service, and threads that collect.
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
      '-cp',
      join(libraries, '*'),
      'org.eclipse.jetty.xml.XmlConfiguration',
      fileURLToPath(SERVER),
    ],
    cwd: libraries,
    env: { PATH: process.env.PATH, HOME: libraries },
  });
  return { url, tail: server.tail, stop: server.stop };
}

/** The folder with its jars; installs them unless they are there. */
export const dynamodbJars = (): Promise<string> =>
  installed({ name: 'dynamodb-local', describedBy: [POM], fill: (folder) => copyLibraries(folder) });

const copyLibraries = (folder: string): Promise<void> =>
  run({
    program: 'mvn',
    args: [
      '--quiet',
      '--batch-mode',
      '--file',
      fileURLToPath(POM),
      'dependency:copy-dependencies',
      `-DoutputDirectory=${folder}`,
    ],
    cwd: folder,
    env: process.env,
  });
