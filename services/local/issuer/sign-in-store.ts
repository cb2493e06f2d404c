// The issuer's state: sessions, codes and refresh tokens, each with the family (grant) it descends from. Guarantees: a
// code or refresh token is taken once, also by concurrent requests; if one is presented again its family ends for good,
// and nothing is added to an ended family. All of it survives a restart, except sign-ins in progress.
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import * as z from 'zod';
import type { DataDir } from '../data-dir.ts';
import { unusable } from '../problem.ts';

interface StoredRecord {
  readonly model: string;
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly untilMs: number;
}

/** `sign-ins.json`. */
export interface SignIns {
  readonly records: readonly StoredRecord[];
  /** Family → until when its end must be remembered. */
  readonly ended: readonly (readonly [family: string, untilMs: number])[];
}

const FILE = 'sign-ins.json';

const fileSchema = z.object({
  records: z.array(
    z.object({
      model: z.string(),
      id: z.string(),
      payload: z.record(z.string(), z.unknown()),
      untilMs: z.number(),
    }),
  ),
  ended: z.array(z.tuple([z.string(), z.number()])),
});

/**
 * Who is signed in, for the next start. Readable by its owner only, as it holds tokens. Reads at once, before anything else in the
 * folder is touched. Refuses a file that holds something else: a start that ignores it would let taken tokens be taken again.
 */
export function openSignInFile(dataDir: DataDir): SignInFile {
  const value = dataDir.readJson(FILE);
  const parsed = fileSchema.optional().safeParse(value);
  if (!parsed.success) throw unusable(dataDir.path, `${FILE} does not hold what it should`);
  const found = parsed.data as SignIns | undefined;
  return { read: () => found, write: (signIns) => dataDir.writeJson(FILE, signIns) };
}

export interface SignInFile {
  /** Undefined if there is none yet. */
  readonly read: () => SignIns | undefined;
  /** Returns after it is on disk: a taken token must stay taken after a crash. */
  readonly write: (signIns: SignIns) => void;
}

/** Longer than anything in a family is valid: its end can be forgotten after this. */
export const FAMILY_MAX_SEC = 30 * 86_400;
const INTERACTION = 'Interaction';
const INTERACTIONS_MAX = 1_000;
/** Kinds that are taken once. */
const SINGLE_USE = ['AuthorizationCode', 'RefreshToken'];

export class SignInStore {
  readonly #records = new Map<string, StoredRecord>();
  readonly #ended = new Map<string, number>();
  readonly #file: SignInFile;
  readonly #now: () => number;

  constructor(file: SignInFile, now: () => number) {
    this.#file = file;
    this.#now = now;
    const { records = [], ended = [] } = file.read() ?? {};
    for (const record of records) this.#records.set(keyOf(record.model, record.id), record);
    for (const [family, untilMs] of ended) this.#ended.set(family, untilMs);
  }

  /** The store interface that the library needs, for one of its models. */
  adapterOf(model: string): Adapter {
    return {
      upsert: async (id, payload, ttlSec) => this.#put(model, id, payload, ttlSec ?? FAMILY_MAX_SEC),
      find: async (id) => this.#present(model, id),
      findByUid: async (uid) =>
        this.#live().find(({ model: of, payload }) => of === model && payload.uid === uid)?.payload,
      findByUserCode: async () => undefined,
      consume: async (id) => this.#take(model, id),
      destroy: async (id) => (model === 'Grant' ? this.#end(id) : this.#forget(model, id)),
      revokeByGrantId: async (family) => this.#end(family),
    };
  }

  #put(model: string, id: string, payload: AdapterPayload, ttlSec: number): void {
    const { grantId } = payload;
    if (grantId !== undefined && this.#ended.has(grantId)) throw new errors.InvalidGrant('the sign-in ended');
    this.#records.set(keyOf(model, id), { model, id, payload, untilMs: this.#now() + ttlSec * 1_000 });
    if (model === INTERACTION) this.#dropOldInteractions();
    else this.#save();
  }

  #present(model: string, id: string): AdapterPayload | undefined {
    const record = this.#records.get(keyOf(model, id));
    if (record === undefined || record.untilMs <= this.#now()) return undefined;
    const { payload } = record;
    // Even if the request has other errors: a token presented twice was known to two parties.
    if (SINGLE_USE.includes(model) && payload.consumed !== undefined) this.#end(payload.grantId);
    return payload;
  }

  /**
   * Reading and marking happen in one turn of the event loop: of two concurrent requests, the second finds the mark.
   */
  #take(model: string, id: string): void {
    const record = this.#records.get(keyOf(model, id));
    if (record === undefined) throw new errors.InvalidGrant('it was taken or has ended');
    if (record.payload.consumed !== undefined) {
      this.#end(record.payload.grantId);
      throw new errors.InvalidGrant('it was taken before');
    }
    const nowMs = this.#now();
    // Kept beyond its own expiry, so that a second use is recognized.
    this.#records.set(keyOf(model, id), {
      ...record,
      payload: { ...record.payload, consumed: Math.floor(nowMs / 1_000) },
      untilMs: nowMs + FAMILY_MAX_SEC * 1_000,
    });
    this.#save();
  }

  #end(family: string | undefined): void {
    if (family === undefined) return;
    this.#ended.set(family, this.#now() + FAMILY_MAX_SEC * 1_000);
    this.#records.delete(keyOf('Grant', family));
    for (const [key, { payload }] of this.#records) if (payload.grantId === family) this.#records.delete(key);
    this.#save();
  }

  #forget(model: string, id: string): void {
    if (this.#records.delete(keyOf(model, id)) && model !== INTERACTION) this.#save();
  }

  #live(): readonly StoredRecord[] {
    const nowMs = this.#now();
    return [...this.#records.values()].filter(({ untilMs }) => untilMs > nowMs);
  }

  /** Limits their number, because a sign-in can be begun without a credential. */
  #dropOldInteractions(): void {
    const keys = [...this.#records].filter(([, { model }]) => model === INTERACTION).map(([key]) => key);
    for (const key of keys.slice(0, -INTERACTIONS_MAX)) this.#records.delete(key);
  }

  #save(): void {
    const nowMs = this.#now();
    for (const [key, { untilMs }] of this.#records) if (untilMs <= nowMs) this.#records.delete(key);
    for (const [family, untilMs] of this.#ended) if (untilMs <= nowMs) this.#ended.delete(family);
    const records = [...this.#records.values()].filter(({ model }) => model !== INTERACTION);
    this.#file.write({ records, ended: [...this.#ended] });
  }
}

const keyOf = (model: string, id: string): string => `${model} ${id}`;
