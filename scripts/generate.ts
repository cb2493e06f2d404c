// Writes docs/reference from what the code says of itself, the sample credentials of previews from the platforms' worked
// examples, which no bundle carries, the client's tables of routes and the lists of regions. With --check it writes nothing and fails when a file differs;
// what holds data leaves cdk/stateful-resources.json with --let-go <logical id> alone.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type * as z from 'zod';
import { loadExamples } from '#test/platforms/load.ts';
import type { PlatformExample } from '#test/platforms/platform-example.ts';
import { readStatefulList, STATEFUL_LIST, statefulList } from '../cdk/stateful-list.ts';
import { assistantEnvironment } from '../lib/core/assistant/environment.ts';
import { BODY_SIZE_MAX_BYTES, type RouteExamples } from '../lib/core/http/route.ts';
import { JSON_DEPTH_MAX } from '../lib/core/http/strict-json.ts';
import { operatorEnvironment } from '../lib/core/tenancy/operator-environment.ts';
import { environment } from '../lib/events/domain/environment.ts';
import { ERASURE_LIMITS } from '../lib/events/domain/erasure/erasure.ts';
import { DEDUP_WINDOW_MS } from '../lib/events/domain/event/dedup-window.ts';
import { EVENT_LIMITS, EVENT_TIME_FUTURE_MAX_SEC } from '../lib/events/domain/event/event.ts';
import { BROWSER_EVENTS_PER_MINUTE, PAGE_COPY_WAIT_MAX_SEC } from '../lib/events/domain/merchant.ts';
import { RECONCILIATION_LIMITS } from '../lib/events/domain/reconciliation/reconciliation.ts';
import { PLAN_LIMITS } from '../lib/events/domain/replays/plan.ts';
import { RULE_LIMITS } from '../lib/events/domain/rules/rule.ts';
import { signUpEnvironment } from '../lib/events/domain/sign-up.ts';
import { SERVER_COPY_WAIT_SEC } from '../lib/events/pipeline/server-copies.ts';
import type { Platform } from '../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../lib/events/platforms/registry.ts';
import { eventsDocument } from '../lib/events/routes/document.ts';
import { EVENTS_ERRORS } from '../lib/events/routes/errors.ts';
import { LIST_LIMITS } from '../lib/events/routes/events.ts';
import { ROUTES } from '../lib/events/routes/every-route.ts';
import { PREVIEW_LIMITS } from '../lib/events/routes/rules.ts';
import { helpdeskDocument } from '../lib/helpdesk/routes/document.ts';
import { HELPDESK_ROUTES } from '../lib/helpdesk/routes/every-route.ts';
import { SCAN_ENTRIES_MAX, SCAN_ROWS_MAX } from '../services/events/api/events/scan.ts';
import {
  ADDRESS_EVENTS_PER_MINUTE,
  NETWORK_EVENTS_PER_MINUTE,
  RATE_LIMIT,
} from '../services/events/ingestion/browser-limits.ts';
import { loadSandboxes } from '../services/local/sandbox/platform-sandboxes.ts';
import type { PlatformSandbox } from '../services/local/sandbox/platforms/platform-sandbox.ts';
import { consentPage } from './reference/consent-page.ts';
import { helpdeskExamples } from './reference/examples/desk-story.ts';
import { eventExamples } from './reference/examples/shop-story.ts';
import { helpdeskPage } from './reference/helpdesk-page.ts';
import { bullets, bytes, code, facts, page, seconds, variable } from './reference/markdown.ts';
import { type DescribedInFull, platformPage, tableFileOf, tableOf } from './reference/platform-page.ts';
import { fileOf, platformsPage } from './reference/platforms-page.ts';
import { countryList, subdivisionList } from './reference/region-lists.ts';
import { productTableModule, routeTableModule } from './reference/route-table.ts';
import { segmentPage } from './reference/segment-page.ts';
import { settingsPage, settingsSchema } from './reference/settings-page.ts';
import type { Tried } from './reference/where-it-happened.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = 'docs/reference/';
const SAMPLES = 'lib/events/platforms/sample-credentials.json';
const ROUTE_TABLE = 'lib/client/route-table.ts';
const SETTINGS_SCHEMA = 'cdk/environments/schema.json';
const HELPDESK_TABLE = 'lib/client/helpdesk-route-table.ts';
/** Beside the routes, for the document that is served has them too. */
const EVENT_EXAMPLES = 'lib/events/routes/recorded-examples.json';
const HELPDESK_EXAMPLES = 'lib/helpdesk/routes/recorded-examples.json';
const REGIONS = 'lib/adapters/regions/';

/** Path from the root → content. The same code gives the same bytes. */
async function generated(stateful: string): Promise<Readonly<Record<string, string>>> {
  const described = await describedPlatforms();
  const examples = { events: await eventExamples(), helpdesk: await helpdeskExamples() };
  const samples = Object.fromEntries(
    described.map(({ platform, example }) => [platform.slug, example.credentials]),
  );
  return {
    [SAMPLES]: `${JSON.stringify(samples, null, 2)}\n`,
    [STATEFUL_LIST]: stateful,
    [ROUTE_TABLE]: routeTableModule(ROUTES),
    [SETTINGS_SCHEMA]: `${JSON.stringify(settingsSchema(), null, 2)}\n`,
    [HELPDESK_TABLE]: productTableModule('HELPDESK_ROUTE_TABLE', HELPDESK_ROUTES),
    [`${REGIONS}country-list.ts`]: countryList(),
    [`${REGIONS}subdivision-list.ts`]: subdivisionList(),
    [EVENT_EXAMPLES]: linesOf(examples.events),
    [HELPDESK_EXAMPLES]: linesOf(examples.helpdesk),
    ...Object.fromEntries(
      Object.entries(reference(described, examples)).map(([name, text]) => [FOLDER + name, text]),
    ),
  };
}

type Examples = Readonly<Record<string, RouteExamples>>;
/** One operation a line. */
const linesOf = (examples: Examples): string =>
  `{\n${Object.entries(examples)
    .map(([id, example]) => `${JSON.stringify(id)}: ${JSON.stringify(example)}`)
    .join(',\n')}\n}\n`;

/** Below `FOLDER`. */
function reference(
  described: readonly (DescribedInFull & Tried)[],
  examples: { readonly events: Examples; readonly helpdesk: Examples },
): Readonly<Record<string, string>> {
  return {
    'openapi.json': `${JSON.stringify(eventsDocument(undefined, undefined, examples.events), null, 2)}\n`,
    'helpdesk-openapi.json': `${JSON.stringify(helpdeskDocument(undefined, examples.helpdesk), null, 2)}\n`,
    'errors.md': page('Errors', errors()),
    'consent.md': page('Consent', consentPage(described)),
    'platforms/index.md': page('Platforms', platformsPage(described)),
    ...Object.fromEntries(
      described.map((one) => [
        `platforms/${fileOf(one.platform)}`,
        page(one.platform.label, platformPage(one)),
      ]),
    ),
    ...Object.fromEntries(
      described.flatMap((one) => {
        const sql = tableOf(one);
        return sql === undefined ? [] : [[`platforms/${tableFileOf(one.platform)}`, sql]];
      }),
    ),
    'environment.md': page('Environment variables', variables()),
    'helpdesk.md': page('Helpdesk', helpdeskPage()),
    'limits.md': page('Limits', limits()),
    'segment.md': page("Segment's tracking API", segmentPage()),
    'settings.md': page('Deployment settings', settingsPage()),
  };
}

/** With the first worked example and the sandbox of each, found by convention. */
async function describedPlatforms(): Promise<readonly (DescribedInFull & Tried)[]> {
  const sandboxes = await loadSandboxes();
  return Promise.all(
    PLATFORMS.map(async (platform) => {
      const examples = await loadExamples(platform.slug);
      const [example] = examples;
      const sandbox = sandboxes.get(platform.slug);
      if (sandbox === undefined) throw new Error(`${platform.slug} has no sandbox`);
      const other = await describedOther(platform, sandbox);
      return { platform, example, examples, connections: kindsOf(examples), sandbox, ...other };
    }),
  );
}

async function describedOther(
  { slug, other }: Platform,
  sandbox: PlatformSandbox,
): Promise<Pick<DescribedInFull, 'other'>> {
  if (other === undefined) return {};
  if (sandbox.other === undefined) throw new Error(`${slug} has no other sandbox`);
  const examples = await loadExamples(`${slug}_other`);
  const [example] = examples;
  return { other: { platform: other.platform, example, examples, sandbox: sandbox.other } };
}

/** The first example of each kind of connection (`event_source`), the others being of one kind. */
const kindsOf = (examples: readonly PlatformExample[]): readonly PlatformExample[] => {
  const kinds = Map.groupBy(
    examples,
    ({ credentials }) => (credentials as { event_source?: string }).event_source,
  );
  return [...kinds.values()].flatMap((alike) => alike.slice(0, 1));
};

function errors(): string[] {
  return [
    'Every failure is `{"error": sentence, "code": word, "details"?: [{"path", "message"}]}`. Programs look at `code`. Every answer carries `X-Request-Id`; 503 carries `Retry-After`, 405 `Allow`, 401 `WWW-Authenticate`. [openapi.json](openapi.json) names the codes of each operation.',
    bullets(
      Object.entries(EVENTS_ERRORS).map(([name, { status, text }]) => `${code(name)} (${status}): ${text}`),
    ),
  ];
}

function variables(): string[] {
  const all = {
    ...operatorEnvironment.shape,
    ...environment.shape,
    ...signUpEnvironment.shape,
    ...assistantEnvironment.shape,
  };
  const lines = Object.entries(all).map(([name, schema]) => variable(name, schema as z.ZodType));
  return [
    'Each function reads the ones it needs and refuses to start, naming the variable, when one it requires is missing. The CDK app sets them, some from the [setting](settings.md) named, which says what it means.',
    bullets(lines),
  ];
}

function requestLimits(): string[] {
  return [
    '## Requests',
    facts([
      ['Body of an API request', bytes(BODY_SIZE_MAX_BYTES)],
      ['Bodies with `Content-Encoding: gzip`', 'the same limits, inflated'],
      ['Nesting of JSON', `${JSON_DEPTH_MAX} levels`],
      ['`limit` of a list', `${LIST_LIMITS.limitMax}, ${LIST_LIMITS.limitDefault} by default`],
      ['`offset` of a list', `${LIST_LIMITS.offsetMax}; go on with \`cursor\``],
      ['Rules of a merchant', `${RULE_LIMITS.rulesMax}, of which ${RULE_LIMITS.transformsMax} transform`],
      ['One rule', `${RULE_LIMITS.ruleSizeMaxBytes} bytes of JSON: name, match, action and platforms`],
      ['Events of a dry run of rules', `${PREVIEW_LIMITS.lastMax}, of the last 30 days`],
      ['Time range of `GET /v1/events`', `${LIST_LIMITS.rangeMaxDays} days`],
      ['Erasures running', `${ERASURE_LIMITS.runningMax}`],
      ['Days a receipt of an erasure is kept', `${ERASURE_LIMITS.keptDays}`],
      ['Reconciliations running', `${RECONCILIATION_LIMITS.runningMax}`],
      ['Orders of a reconciliation', `${RECONCILIATION_LIMITS.ordersMax}`],
      ['Body that uploads orders', bytes(RECONCILIATION_LIMITS.uploadSizeMaxBytes)],
      ['Time range of a reconciliation', `${RECONCILIATION_LIMITS.rangeMaxDays} days`],
      [
        'Days a reconciliation is kept',
        `${RECONCILIATION_LIMITS.keptDays}, ${RECONCILIATION_LIMITS.keptMax} of them at most`,
      ],
      ['Replay plans running or paused', `${PLAN_LIMITS.activeMax}`],
      ['Events a plan sends in a second', `${PLAN_LIMITS.rateDefault}; up to ${PLAN_LIMITS.rateMax}`],
      ['Ids a plan may name', `${PLAN_LIMITS.eventIdsMax}`],
      ['Time range of a plan', `${PLAN_LIMITS.rangeMaxDays} days`],
      ['Events counted for `total`', SCAN_ENTRIES_MAX],
      ['Events looked at by filters and sorting', SCAN_ROWS_MAX],
    ]),
  ];
}

function limits(): string[] {
  const e = EVENT_LIMITS;
  return [
    '## Events',
    facts([
      ['One event, and the body of `POST /v1/events`', bytes(e.eventSizeMaxBytes)],
      ['Body of `POST /v1/ingest`', bytes(e.batchSizeMaxBytes)],
      ['Events of one `POST /v1/ingest`', e.batchEventsMax],
      ['Events of one `POST /v1/browser/events`', e.browserBatchEventsMax],
      [
        'Browser events per merchant and client address',
        `${RATE_LIMIT.events} in ${RATE_LIMIT.windowSec} s, sliding`,
      ],
      ['Browser events per client address, of all merchants', `${ADDRESS_EVENTS_PER_MINUTE} a minute`],
      ['Browser events per merchant and IPv6 /48', `${NETWORK_EVENTS_PER_MINUTE} a minute`],
      [
        'Browser events per merchant',
        `${BROWSER_EVENTS_PER_MINUTE} a minute, unless its profile says otherwise`,
      ],
      ['Body of a browser request', bytes(e.browserBodySizeMaxBytes)],
      ['One event of a browser request', bytes(e.browserEventSizeMaxBytes)],
      [
        'Wait of a browser event for its server copy',
        `${seconds(SERVER_COPY_WAIT_SEC)}, unless the profile says otherwise`,
      ],
      ['Wait of an order for its page', `none, or up to ${PAGE_COPY_WAIT_MAX_SEC} s by profile`],
      ['Dedup window of an `event_id`', seconds(DEDUP_WINDOW_MS / 1000)],
      ['`event_time` in the future', seconds(EVENT_TIME_FUTURE_MAX_SEC)],
      ['`event_id`', `${e.eventIdMaxChars} characters`],
      ['`event_name`', `${e.eventNameMaxChars} characters`],
      ['`items`', e.itemsMax],
      ['`external_ids`', e.externalIdsMax],
      ['`custom_data`', `${bytes(e.customDataMaxBytes)}, ${e.customDataMaxDepth} levels`],
      ['Other texts', `${e.textMaxChars} characters`],
    ]),
    ...requestLimits(),
    'Of each platform: [platforms](platforms/index.md).',
  ];
}

/** Measured, not generated: `npm run fidelity` checks it, with packages that are not installed here. */
const MEASURED = `${FOLDER}fidelity.md`;

/** Of `names`, and of every file below the folder: path from the root → content. */
async function stored(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(ROOT + FOLDER, { recursive: true, withFileTypes: true }).catch(() => []);
  const below = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((name) => name !== MEASURED);
  const texts = [...new Set([...names, ...below])].map(async (name) => {
    const text = await readFile(ROOT + name, 'utf8').catch(() => undefined);
    return text === undefined ? [] : [[name, text] as const];
  });
  return new Map((await Promise.all(texts)).flat());
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, 'let-go': { type: 'string', multiple: true, default: [] } },
  });
  const { text: list, refused } = statefulList(readStatefulList(), values['let-go']);
  for (const { id, text } of refused) console.error(`${text}. If that is meant: --let-go ${id}`);
  if (refused.length > 0) process.exit(1);
  const wanted = await generated(list);
  const found = await stored(Object.keys(wanted));
  const names = [...new Set([...Object.keys(wanted), ...found.keys()])].sort();
  const stale = names.filter((name) => wanted[name] !== found.get(name));
  if (values.check === true) {
    for (const name of stale) console.error(`${name} is out of date: npm run generate`);
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  for (const name of stale) {
    const content = wanted[name];
    await mkdir(dirname(ROOT + name), { recursive: true });
    await (content === undefined ? rm(ROOT + name) : writeFile(ROOT + name, content));
    console.log(`${content === undefined ? 'removed' : 'wrote'} ${name}`);
  }
}

if (import.meta.main) await main();
