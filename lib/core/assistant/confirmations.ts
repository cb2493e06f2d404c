// What a model wants to change waits here for the person's word. Guarantees: what was shown is what runs, byte for byte, for
// the caller and the merchant it was shown to, once, within ten minutes; anybody else's id is one that does not exist.
import { hash } from 'node:crypto';
import type { Clock, Random } from '../ports/clock.ts';
import type { Vault } from '../ports/vault.ts';
import { actorOf, type Caller } from '../tenancy/caller.ts';

export const CONFIRMATION_MS = 600_000;

/** Texts that can be had once. */
export interface OneTimeStore {
  put(id: string, text: string, untilMs: number): Promise<void>;
  /** Of any number of takers at a time, one gets the text; null for the others, and once it has expired. */
  take(id: string, nowMs: number): Promise<string | null>;
}

export interface ConfirmationPorts {
  readonly confirmations: OneTimeStore;
  /** Inputs may hold what is personal. */
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Proposed {
  readonly operation: string;
  readonly input: unknown;
}

/** The caller is in the key: there is no check that could be forgotten. */
const recordId = (caller: Caller, id: string): string =>
  hash('sha256', JSON.stringify(['confirmation', caller.merchantId, actorOf(caller), id]), 'hex');

export async function propose(
  proposed: Proposed,
  caller: Caller,
  { confirmations, vault, clock, random }: ConfirmationPorts,
): Promise<{ readonly id: string; readonly expiresAtMs: number }> {
  const nowMs = clock.now();
  const id = random.uuidv7(nowMs);
  const key = recordId(caller, id);
  const sealed = await vault.seal(caller.merchantId, key, JSON.stringify(proposed));
  const expiresAtMs = nowMs + CONFIRMATION_MS;
  await confirmations.put(key, sealed, expiresAtMs);
  return { id, expiresAtMs };
}

/** Ends it, whatever comes after. */
export async function takeConfirmed(
  id: string,
  caller: Caller,
  { confirmations, vault, clock }: ConfirmationPorts,
): Promise<Proposed | null> {
  const key = recordId(caller, id);
  const sealed = await confirmations.take(key, clock.now());
  return sealed === null ? null : (JSON.parse(await vault.open(caller.merchantId, key, sealed)) as Proposed);
}
