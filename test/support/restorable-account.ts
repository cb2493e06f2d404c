// Tables with their past, functions and queues of a deployment, as a restore asks AWS for them. What takes AWS a while is looked at
// once in vain. Any call can fail, before it did something or after.
import type { Recovery, TableState } from '#scripts/millrace/restore/recovery.ts';

interface Table {
  readonly id: string;
  /** Looked at so often before it is what it becomes. */
  looks: number;
  becomes: 'ACTIVE' | null;
  items: readonly string[];
  isProtected: boolean;
  expiry: string | null;
  tags: Readonly<Record<string, string>>;
  days: number | null;
}

export const RESTORED_MS = Date.UTC(2026, 10, 10, 8);
export const EVENTS = 'MillraceEventsData-Events';
const TAGS = { application: 'millrace' };
const SETTINGS = { isProtected: true, expiry: 'expires', tags: TAGS, days: 35 };
const COPIED = { isProtected: false, expiry: null, tags: {}, days: null };

export type RestorableAccount = ReturnType<typeof restorableAccount>;

/** Of the events table: the items it has, and those it had at `RESTORED_MS`. */
export function restorableAccount({ now = ['a', 'b', 'bad'], then = ['a'], windowMs = [0, 0] } = {}) {
  let made = 0;
  const table = (
    items: readonly string[],
    settings: Omit<Table, 'id' | 'looks' | 'becomes' | 'items'>,
  ): Table => {
    made += 1;
    return { id: `table-${made}`, looks: 0, becomes: 'ACTIVE', items, ...settings };
  };
  const state = {
    tables: new Map([
      [EVENTS, table(now, SETTINGS)],
      ['MillraceCore-Config', table(['m'], SETTINGS)],
    ]),
    functions: new Map<string, number | null>([
      ['MillraceEvents-Ingestion', 400],
      ['MillraceEvents-Sweep', null],
      ['MillraceEvents-Paused', 0],
    ]),
    backups: new Map<string, { readonly items: readonly string[]; looks: number }>(),
    parameters: new Map<string, string>(),
    purged: new Set<string>(),
    isProvisioned: false,
    calls: [] as string[],
    /** The how many-th call fails; 0: none. */
    failsAt: 0,
    failsAfter: false,
    denied: new Set<string>(),
    /** Calls that were made while a function ran. */
    running: [] as string[],
  };

  const held = (name: string): Table => {
    const found = state.tables.get(name);
    if (found === undefined || found.looks > 0) throw new Error(`${name} is not there, or not ready`);
    return found;
  };
  const create = (name: string, items: readonly string[]): void => {
    if (state.tables.has(name)) throw new Error(`${name} exists`);
    state.tables.set(name, { ...table(items, COPIED), looks: 2 });
  };
  const look = (name: string): TableState | null => {
    const found = state.tables.get(name);
    if (found === undefined) return null;
    const { id, isProtected, becomes } = found;
    if (found.looks > 0) found.looks -= 1;
    else if (becomes === null) return state.tables.delete(name) ? null : null;
    const status =
      found.looks === 0 && becomes === 'ACTIVE' ? 'ACTIVE' : becomes === null ? 'DELETING' : 'CREATING';
    const { isProvisioned } = state;
    return { id, arn: `arn:${name}`, status, isProtected, isProvisioned };
  };

  const timesAsked = (name: string) => state.calls.filter((call) => call.startsWith(name)).length;
  const [fromMs = 0, toMs = 0] = windowMs;
  const recovery: Recovery = {
    identity: async () => ({ account: '1', arn: 'anna', region: 'eu-central-1' }),
    parameter: async (name) => state.parameters.get(name) ?? null,
    putParameter: async (name, value, { replace }) => {
      if (!replace && state.parameters.has(name)) return false;
      if (value.length > 4_096) throw new Error('a parameter has 4,096 characters');
      state.parameters.set(name, value);
      return true;
    },
    deleteParameter: async (name) => void state.parameters.delete(name),
    resources: async (stack) =>
      [
        ...[...state.tables.keys()].map((name) => ({ type: 'AWS::DynamoDB::Table', id: `Id${name}`, name })),
        ...[...state.functions.keys()].map((name) => ({
          type: 'AWS::Lambda::Function',
          id: `Id${name}`,
          name,
        })),
      ].filter(({ name }) => name.startsWith(`${stack}-`)),
    concurrency: async (name) => state.functions.get(name) ?? null,
    setConcurrency: async (name, reserved) => void state.functions.set(name, reserved),
    table: async (name) => look(name),
    settings: async (_table, name) => ({ expiry: held(name).expiry, tags: held(name).tags }),
    window: async (name) =>
      held(name).days === null
        ? null
        : { fromMs: RESTORED_MS - fromMs, toMs: RESTORED_MS + toMs, days: held(name).days },
    restoreToTime: async (name, target, atMs) => {
      create(target, atMs === RESTORED_MS && name === EVENTS ? then : held(name).items);
    },
    backUp: async (name) => {
      if (timesAsked('backUp') === 1) return null;
      const arn = `arn:${name}/backup/${state.backups.size}`;
      state.backups.set(arn, { items: held(name).items, looks: 1 });
      return arn;
    },
    backupStatus: async (arn) => {
      const backup = state.backups.get(arn);
      if (backup === undefined || backup.looks === 0) return backup === undefined ? 'DELETED' : 'AVAILABLE';
      backup.looks -= 1;
      return 'CREATING';
    },
    restoreBackup: async (arn, target) => create(target, state.backups.get(arn)?.items ?? []),
    protect: async (name, isProtected) => {
      held(name).isProtected = isProtected;
    },
    deleteTable: async (name) => {
      const found = held(name);
      if (found.isProtected) throw new Error(`${name} is protected`);
      Object.assign(found, { becomes: null, looks: 1 });
    },
    recoverToTime: async (name, days) => {
      const isReady = timesAsked('recoverToTime') > 1;
      if (isReady) held(name).days = days;
      return isReady;
    },
    tag: async (arn, tags) => {
      held(arn.replace('arn:', '')).tags = tags;
    },
    expire: async (name, attribute) => {
      if (held(name).expiry !== null) throw new Error('TimeToLive is already enabled');
      held(name).expiry = attribute;
    },
    countItems: async (name) => held(name).items.length,
    drift: async (_stack, id) => [`/Properties/TimeToLiveSpecification of ${id}`],
    purge: async (url) => void state.purged.add(url),
  };
  return { state, recovery: counted(recovery, state) };
}

interface Faults {
  readonly calls: string[];
  readonly running: string[];
  readonly functions: ReadonlyMap<string, number | null>;
  readonly denied: ReadonlySet<string>;
  readonly failsAt: number;
  readonly failsAfter: boolean;
}
/** What is done to tables and queues; the last is the copy, which no function knows. */
const CHANGES = /^(?:restore|backUp|protect|recover|tag|expire|purge|deleteTable (?!.*Z$))/;

function counted(recovery: Recovery, state: Faults): Recovery {
  const wrapped = Object.entries(recovery).map(([name, asking]) => {
    const work = asking as (...args: unknown[]) => Promise<unknown>;
    return [
      name,
      async (...args: unknown[]) => {
        state.calls.push(`${name} ${args.filter((arg) => typeof arg === 'string').join(' ')}`.trim());
        const call = state.calls.at(-1) ?? '';
        if (CHANGES.test(call) && [...state.functions.values()].some((n) => n !== 0))
          state.running.push(call);
        if (state.denied.has(name)) throw new Error(`AWS does not allow it: ${name}`);
        const isFailing = state.calls.length === state.failsAt;
        if (isFailing && !state.failsAfter) throw new Error('broken off');
        const answer = await work(...args);
        if (isFailing) throw new Error('broken off');
        return answer;
      },
    ];
  });
  return Object.fromEntries(wrapped) as Recovery;
}
