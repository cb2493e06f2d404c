// One deployment at a time: a parameter that only one can make. Guarantees: the lock of a deployment that was killed is taken over
// when it was not renewed for a quarter of an hour. CloudFormation itself takes one operation a stack: the lock says so before
// anything is built, and keeps stacks of two deployments from alternating.
import { z } from 'zod';
import type { Account } from './account.ts';

const RENEW_MS = 5 * 60_000;
const STALE_MS = 15 * 60_000;

const holder = z.object({ who: z.string(), token: z.string(), renewedAt: z.string() });

export interface LockParts {
  readonly account: Pick<Account, 'parameter' | 'putParameter' | 'deleteParameter'>;
  /** Of the parameter. */
  readonly name: string;
  /** Who deploys, for others who want to. */
  readonly who: string;
  readonly now: () => number;
  readonly say: (line: string) => void;
}

/** Rejects with a sentence where another deployment holds it. What is returned lets go of it. */
export async function takeLock(parts: LockParts): Promise<() => Promise<void>> {
  const { account, name, who, now, say } = parts;
  const token = crypto.randomUUID();
  const value = () => JSON.stringify({ who, token, renewedAt: new Date(now()).toISOString() });
  for (let tries = 0; !(await account.putParameter(name, value(), { replace: false })); tries += 1) {
    const held = await read(parts);
    if (held === null && tries < 2) continue;
    const until = held === null ? now() : Date.parse(held.renewedAt) + STALE_MS;
    if (held === null || until > now() || tries > 0)
      throw new Error(
        `${held?.who ?? 'Someone else'} is deploying this: wait for it. If that deployment was killed, repeat this after ${new Date(until).toISOString().slice(11, 16)} UTC.`,
      );
    say(`The deployment of ${held.who} ended without letting go of its lock: taken over.`);
    await account.deleteParameter(name);
  }
  const renewing = setInterval(() => {
    account
      .putParameter(name, value(), { replace: true })
      .catch((error: Error) => say(`The lock was not renewed: ${error.message}`));
  }, RENEW_MS);
  renewing.unref();
  return async () => {
    clearInterval(renewing);
    if ((await read(parts))?.token === token) await account.deleteParameter(name);
  };
}

async function read({ account, name }: LockParts): Promise<z.output<typeof holder> | null> {
  const text = await account.parameter(name);
  if (text === null) return null;
  try {
    return holder.parse(JSON.parse(text));
  } catch {
    // Of another release or person: it counts as held, and as old.
    return { who: 'Someone else', token: '', renewedAt: new Date(0).toISOString() };
  }
}
