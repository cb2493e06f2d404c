// A key is made while it is revoked, and whoever does either may die between any two writes. What a request is told depends
// on one copy of the key and on its record, so the order of the writes to these two is played through, and the other copies
// follow at once. A run is one such order; `revocations.test.ts` plays all of them.
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import type { ApiKeyRecord } from '#lib/core/tenancy/api-key.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';
import { createKeyTable, type KeyTableCall } from '../../support/memory/key-table.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import type { Violation } from '../checks.ts';
import type { Mutation } from '../world.ts';
import { everySeed, figure, type Proof } from './proof.ts';

const RECORD: ApiKeyRecord = {
  sha256: 'f'.repeat(64),
  keyId: 'key-1',
  merchantId: 'm',
  name: 'a key',
  prefix: 'evk_live_aaaa',
  scopes: ['events:write'],
  createdAtMs: 1,
};
const COPY = `KEY#${RECORD.sha256}#1`;
const PLAYED: ReadonlySet<string> = new Set([`KEY#${RECORD.sha256}`, COPY, `M#${RECORD.merchantId}`]);

export const revocations: Proof = {
  name: 'revocations',
  properties: ['G14'],
  run: async (options) => {
    const { findings, sum } = await everySeed(options, async (seed) => {
      const random = createSeededRandom(`revocation/${seed}`);
      const { violations, steps } = await playOrder((ways, deaths) => {
        const alive = ways - deaths;
        return alive > 0 && random.chance(0.9) ? random.below(alive) : random.below(ways);
      }, options.mutation);
      return { violations, figures: { steps } };
    });
    const sentence = `${figure(findings.length)} wrong answers in ${figure(options.runs)} orders of making and revoking a key, ${figure(sum.steps)} writes and deaths`;
    return { findings, figures: { G14: sentence } };
  },
};

type Actor = 'maker' | 'revoker' | 'second revoker';

interface Waiting {
  readonly actor: Actor;
  /** Runs the command; with `answered` its caller hears of it. */
  run(answered: boolean): void;
}

/** `choose` picks one of so many ways to go on, of which the last ones are deaths. */
export async function playOrder(
  choose: (ways: number, deaths: number) => number,
  mutation?: Mutation,
): Promise<{ readonly steps: number; readonly violations: readonly Violation[] }> {
  const waiting: Waiting[] = [];
  const dead = new Set<Actor>();
  const ended = new Map<Actor, unknown>();
  const begun = new Set<Actor>();
  const items: Map<string, Record<string, unknown>> = new Map();
  const actor = (name: Actor): ApiKeyStore => {
    const run = (call: KeyTableCall): Promise<object> => {
      const changed = mutation?.keyTable?.(call) ?? call;
      if (!PLAYED.has(call.pk)) return Promise.resolve().then(changed.perform);
      return new Promise((resolve, reject) =>
        waiting.push({
          actor: name,
          run: (answered) => {
            const answer = Promise.resolve().then(changed.perform);
            answer.then(answered ? resolve : () => undefined, answered ? reject : () => undefined);
          },
        }),
      );
    };
    return createApiKeyStore(createKeyTable(run, items).db, 'config', { next: () => 0 });
  };
  const begin = (name: Actor): void => {
    begun.add(name);
    const store = actor(name);
    const work =
      name === 'maker'
        ? store.putApiKey(RECORD)
        : store.revokeApiKey(RECORD.merchantId, RECORD.keyId, name === 'revoker' ? 100 : 200);
    work.then(
      (answer) => ended.set(name, answer),
      () => ended.set(name, 'failed'),
    );
  };
  const violations: Violation[] = [];
  const promise = new Promises(items, violations);
  begin('maker');
  let steps = 0;
  for (;;) {
    await settled();
    await promise.check(begun, ended);
    const { alive, deaths } = waysOn(waiting, begun, ended, dead, begin);
    const ways = [...alive, ...deaths];
    const way = ways[ways.length === 0 ? 0 : choose(ways.length, deaths.length)];
    if (way === undefined) return { steps, violations };
    way();
    steps += 1;
  }
}

function waysOn(
  waiting: Waiting[],
  begun: ReadonlySet<Actor>,
  ended: ReadonlyMap<Actor, unknown>,
  dead: Set<Actor>,
  begin: (actor: Actor) => void,
): { readonly alive: (() => void)[]; readonly deaths: (() => void)[] } {
  const alive: (() => void)[] = [];
  const deaths: (() => void)[] = [];
  for (const one of waiting.filter(({ actor }) => !dead.has(actor))) {
    const leave = (): void => void waiting.splice(waiting.indexOf(one), 1);
    const die = (run: boolean) => () => {
      leave();
      dead.add(one.actor);
      if (run) one.run(false);
    };
    alive.push(() => {
      leave();
      one.run(true);
    });
    // Nobody revokes a third time: the second revoker lives.
    if (one.actor !== 'second revoker') deaths.push(die(false), die(true));
  }
  if (!begun.has('revoker')) alive.push(() => begin('revoker'));
  const asksAgain = dead.has('revoker') || ended.has('revoker');
  if (asksAgain && !begun.has('second revoker')) alive.push(() => begin('second revoker'));
  return { alive, deaths };
}

/** What requests are told from now on, whichever copy they read. */
class Promises {
  readonly #items: Map<string, Record<string, unknown>>;
  readonly #violations: Violation[];

  constructor(items: Map<string, Record<string, unknown>>, violations: Violation[]) {
    this.#items = items;
    this.#violations = violations;
  }

  async check(begun: ReadonlySet<Actor>, ended: ReadonlyMap<Actor, unknown>): Promise<void> {
    const isRevoked = [...ended].some(([actor, answer]) => actor !== 'maker' && isRevocation(answer));
    const isValid = ended.get('maker') === undefined && ended.has('maker') && begun.size === 1;
    if (!isRevoked && !isValid) return;
    const table = createKeyTable(async (call) => call.perform(), this.#items);
    for (const next of [0, 1 / 16, 2 / 16]) {
      const store = createApiKeyStore(table.db, 'config', { next: () => next });
      const record = await store.apiKey(RECORD.sha256);
      const isIn = record !== null && record.revokedAtMs === undefined;
      if (isRevoked && isIn) this.#violations.push({ property: 'G14', what: 'a revoked key is let in' });
      if (isValid && !isIn) this.#violations.push({ property: 'G14', what: 'a valid key is refused' });
    }
  }
}

/** Neither a failure nor the answer that there is no such key. */
const isRevocation = (answer: unknown): boolean => answer !== 'failed' && answer !== null;

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
