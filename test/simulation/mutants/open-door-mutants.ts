// Ways to let an anonymous event take a server event's place at a platform.
import { createFanOutStage } from '#services/events/fan-out/stage.ts';
import { createNormalizeStage } from '#services/events/normalize/stage.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

export function openDoorMutants(): Mutant[] {
  const noWait: Mutation = {
    stages: {
      createNormalize: (ports) =>
        createNormalizeStage({
          ...ports,
          config: {
            ...ports.config,
            merchant: async (id) => {
              const merchant = await ports.config.merchant(id);
              const browserIngestion = { enabled: true, origins: [], serverCopyWaitSec: 0 };
              return merchant && { ...merchant, browserIngestion };
            },
          },
          events: { ...ports.events, readMany: async (keys, how) => withoutBrowser(ports, keys, how) },
        }),
    },
  };
  const looksOnceTooEarly: Mutation = {
    stages: {
      createFanOut: (ports) =>
        createFanOutStage({
          ...ports,
          events: { ...ports.events, readMany: async (keys, how) => withoutServers(ports, keys, how) },
        }),
    },
  };
  const sameId: Mutation = {
    events: (store) => ({
      ...store,
      normalize: (row) => store.normalize({ ...row, event: { ...row.event, dedupId: row.key.eventId } }),
    }),
  };
  const anyAmount: Mutation = {
    stages: {
      createNormalize: (ports) =>
        createNormalizeStage({
          ...ports,
          events: { ...ports.events, readMany: async (keys, how) => pagesThatAgree(ports, keys, how) },
        }),
    },
  };
  return [
    ...caughtBy('open-door', 'G24', {
      'lets no browser event wait': noWait,
      'does not look for the server event when the wait is over': looksOnceTooEarly,
      'completes an order from a page event that says another amount': anyAmount,
      'sends a server event under the id another browser event went out with': sameId,
    }),
  ];
}

const NOTHING = { rows: [], unreadable: [] };

type ReadMany = Parameters<typeof createFanOutStage>[0]['events']['readMany'];
interface Reading {
  readonly events: { readonly readMany: ReadMany };
}

/** The server's side does not look for what came without a key. */
async function withoutBrowser({ events }: Reading, ...[keys, how]: Parameters<ReadMany>) {
  const isCopyOfServer = how === undefined && keys.every(({ channel }) => channel === 'browser');
  return isCopyOfServer ? NOTHING : await events.readMany(keys, how);
}

/** Whatever a page says under the id of a server's event is taken for what that event says. */
async function pagesThatAgree({ events }: Reading, ...[keys, how]: Parameters<ReadMany>) {
  const found = await events.readMany(keys, how);
  const servers = await events.readMany(
    keys.map((key) => ({ ...key, channel: 'server' as const })),
    how,
  );
  const rows = found.rows.map((row) => {
    const server = servers.rows.find(({ key }) => key.eventId === row.key.eventId);
    if (row.key.channel === 'server' || row.state !== 'accepted' || server?.state !== 'accepted') return row;
    const { event_name, value, currency } = server.body;
    const { value: _v, currency: _c, ...body } = row.body;
    const money = value === undefined || currency === undefined ? {} : { value, currency };
    return { ...row, body: { ...body, event_name, ...money } };
  });
  return { ...found, rows };
}

async function withoutServers({ events }: Reading, ...[keys, how]: Parameters<ReadMany>) {
  const isCopyOfBrowser = how === undefined && keys.every(({ channel }) => channel === 'server');
  return isCopyOfBrowser ? NOTHING : await events.readMany(keys, how);
}
