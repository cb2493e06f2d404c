// The host services of the functions: the emulators, and the stand-ins for the outside world.
// Guarantees: if the start fails at any point, nothing is left running.
import { systemClock } from '../../lib/adapters/clock/system-clock.ts';
import { useEmulators } from './aws-environment.ts';
import type { Closers } from './closers.ts';
import type { DataDir } from './data-dir.ts';
import { openBuckets } from './emulators/buckets.ts';
import { type Emulators, type EmulatorUrls, startEmulators } from './emulators/start.ts';
import { type RunningIssuer, startIssuer } from './issuer/server.ts';
import type { Person } from './issuer/sign-in.ts';
import type { SignInFile } from './issuer/sign-in-store.ts';
import type { LocalLog } from './local-log.ts';
import { type LocalMail, openLocalMail } from './mail/local-mail.ts';
import { startSandbox } from './sandbox/server.ts';
import type { Seed } from './seed.ts';
import { type PortName, portOf } from './settings.ts';

/** As in HostOptions. */
interface GroundOptions {
  readonly portBase: number;
  readonly emulators?: EmulatorUrls | undefined;
  readonly people?: readonly Person[];
}

export interface Ground {
  readonly emulators: Emulators;
  readonly sandboxUrl: string;
  readonly issuer: RunningIssuer;
  readonly mail: LocalMail;
}

export interface Base {
  readonly dataDir: DataDir;
  readonly log: LocalLog;
  readonly closers: Closers;
}

export async function startGround(
  options: GroundOptions,
  base: Base & { readonly seed: Seed; readonly signIns: SignInFile },
): Promise<Ground> {
  const { dataDir, log, seed, signIns, closers } = base;
  const port = (name: PortName): number => portOf(options.portBase, name);
  const emulators =
    options.emulators === undefined
      ? await startEmulators({
          tablesPath: dataDir.file('dynamodb'),
          dynamodbPort: port('dynamodb'),
          sqsPort: port('sqs'),
        })
      : { ...options.emulators, close: async () => undefined };
  closers.add(() => emulators.close());
  const issuer = await startIssuer({
    port: port('issuer'),
    key: seed.signingKey,
    people: [seed.owner, ...(options.people ?? [])],
    now: systemClock.now,
    file: signIns,
    onError: log.error,
  });
  closers.add(() => issuer.close());
  const mail = openLocalMail(dataDir.file('mails.jsonl'), systemClock.now);
  const sandbox = await startSandbox({
    beside: mail.routes,
    port: port('sandbox'),
    now: systemClock.now,
    logFile: dataDir.file('sandbox.jsonl'),
  });
  closers.add(() => sandbox.close());
  // The host's own queue emulator serves buckets as well.
  let s3Url = emulators.sqsUrl;
  if (options.emulators !== undefined) {
    const buckets = await openBuckets();
    closers.add(() => buckets.close());
    s3Url = buckets.url;
  }
  closers.add(useEmulators({ ...emulators, s3Url, mailUrl: sandbox.url }));
  return { emulators, sandboxUrl: sandbox.url, issuer, mail };
}
