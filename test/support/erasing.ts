// Erasures on a pipeline in memory: the API's own handlers, and the task stage on the pipeline's stores and queues.

import { toItem } from '../../lib/adapters/dynamodb/events/rows/event-item.ts';
import { nationalPhone } from '../../lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '../../lib/adapters/regions/region-codes.ts';
import type { Failure } from '../../lib/core/http/handler.ts';
import { type Erasure, isOwnDone } from '../../lib/events/domain/erasure/erasure.ts';
import type { Merchant } from '../../lib/events/domain/merchant.ts';
import type { Suppression } from '../../lib/events/domain/people/suppression.ts';
import type { SubjectWords } from '../../lib/events/pipeline/erasure/subject.ts';
import type { EventsErrorCode } from '../../lib/events/routes/errors.ts';
import type { ApiPorts } from '../../services/events/api/ports.ts';
import { privacyHandlers } from '../../services/events/api/routes/privacy.ts';
import { tendErasures } from '../../services/events/reconcile/tend-tasks.ts';
import { itemPlaces, type Place, textPlace } from './canaries.ts';
import { type Pipeline, placesOf } from './canary-pipeline.ts';
import { testMerchant } from './ingestion.ts';
import { PIPELINE_MERCHANT } from './memory-pipeline.ts';
import { CALL } from './replaying.ts';

export const LOOKUPS = { nationalPhone, countryCode, regionCode };

type Erasable = Pick<
  Pipeline,
  | 'clock'
  | 'random'
  | 'erasures'
  | 'queues'
  | 'config'
  | 'connections'
  | 'platforms'
  | 'vault'
  | 'problems'
  | 'drain'
  | 'attribution'
>;

export function withErasures(pipeline: Erasable) {
  const { clock, random, erasures, queues, config, attribution } = pipeline;
  const audits: string[] = [];
  const api = privacyHandlers({
    privacy: { erasures, work: queues.tasks },
    lookups: async () => LOOKUPS,
    platforms: pipeline.platforms,
    vault: pipeline.vault,
    clock,
    random,
    report: (_problem: string, error: unknown) => void pipeline.problems.push(error),
    people: attribution,
    config: {
      merchantNow: config.merchant,
      beginSuppression: async () => null,
      listConnections: async () => [...pipeline.connections.values()],
      ...config,
      appendAudit: async ({ action, subject }: { action: string; subject: string }) =>
        void audits.push(`${action} ${subject}`),
    },
  } as unknown as ApiPorts);
  const call = { ...CALL, params: undefined };
  const ask = async (
    body: SubjectWords & { readonly suppress?: boolean },
  ): Promise<Erasure | Failure<EventsErrorCode>> => {
    const answer = await api.createErasure({ ...call, body });
    if ('failure' in answer) return answer;
    const stored = await erasures.erasure(PIPELINE_MERCHANT, answer.body.erasure.id);
    if (stored === null) throw new Error('the erasure was not stored');
    return stored;
  };
  const done = async (answer: Promise<object>): Promise<void> => {
    const found = await answer;
    if ('failure' in found) throw new Error(JSON.stringify(found));
  };
  return {
    audits,
    suppress: (body: SubjectWords) => done(api.suppressPerson({ ...call, body })),
    unsuppress: (query: SubjectWords) => done(api.unsuppressPerson({ ...call, body: undefined, query })),
    ask,
    begin: async (body: SubjectWords & { readonly suppress?: boolean }): Promise<Erasure> => {
      const asked = await ask(body);
      if ('failure' in asked) throw new Error(JSON.stringify(asked));
      return asked;
    },
    /** As somebody reads it. */
    receipt: async (id: string) => {
      const answer = await api.readErasure({ ...call, body: undefined, params: { id } });
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.body.erasure;
    },
    tend: () => tendErasures(PIPELINE_MERCHANT, { erasures, taskWork: queues.tasks, clock }),
    /** Until no erasure runs; a quarter of a minute at a time. */
    finish: async (rounds = 60): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        if (erasures.erasures().every(isOwnDone)) return;
        clock.advance(16_000);
        await pipeline.drain();
      }
      throw new Error('an erasure does not end');
    },
  };
}

/** The pipeline's merchant with this setting; its list begins with the first person on it. Before `withErasures`. */
export function suppressing({ config }: Pipeline, suppression: Suppression): void {
  let merchant: Merchant = { ...testMerchant(), merchantId: PIPELINE_MERCHANT, suppression };
  Object.assign(config, {
    merchant: async () => merchant,
    beginSuppression: async () => {
      merchant = { ...merchant, suppressionKey: 'key of the list' };
      return merchant.suppressionKey;
    },
  });
}

/** All places where something could rest, the sealed parts opened: as whoever holds every key would read them. */
export async function openedPlaces(pipeline: Pipeline): Promise<Place[]> {
  const rows = [...pipeline.storedRows.rows(), ...pipeline.storedRows.archived().values()];
  const parts = rows.map(async (row) => {
    if (row.state !== 'normalized' || row.event.sealed === undefined) return [];
    return [textPlace('sealed parts', await pipeline.eventVault.open(row, row.event.sealed))];
  });
  return [
    ...placesOf(pipeline),
    ...rows.flatMap((row) => itemPlaces('rows', toItem(row))),
    ...(await Promise.all(parts)).flat(),
    ...pipeline.erasures.erasures().map((erasure) => textPlace('receipts', erasure)),
  ];
}
