// npm run e2e:schemathesis: Schemathesis (MIT, https://pypi.org/project/schemathesis/) against the OpenAPI documents of the
// embedded host: ingestion with an API key, the API with a session, the helpdesk with API keys. One pinned version with all it needs, by digest, in a
// virtual environment of its own; the same requests every time. Arguments name the parts, all where there are none. Ends with `N passed, N failed`, a count of operations. Where
// there is no Python 3.11 with venv it says so and runs nothing.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '../../lib/client/client.ts';
import { HELPDESK_SCOPES } from '../../lib/helpdesk/domain/account/scopes.ts';
import { BROWSER_IDS, PERSON } from '../../services/events/api/events/sample-person.ts';
import { type Host, startHost } from '../../services/local/host.ts';
import type { Session } from '../../services/local/session.ts';
import { exitOnSignals, succeeds } from '../deploy-local/child-process.ts';
import { hasPython, pythonProgram } from '../emulators/python.ts';
import { type ManyKeys, startManyKeys } from './many-keys.ts';

const FOLDER = new URL('./', import.meta.url).pathname;
const REQUIREMENTS = new URL('./requirements.txt', import.meta.url);
/** For each run, against hanging; each takes some. */
const TIME_MAX_SEC = 3_600;
/** A workspace may have 20, and has one. */
const HELPDESK_KEYS = 18;

// More calls than any page makes: what limits them is tested by itself.
process.env.CALL_LIMITS_FACTOR = '100';
// Beside other steps a function may wait for the processor for longer than it may take on Lambda.
process.env.FUNCTION_TIME_FACTOR = '20';

async function main(tags: readonly string[]): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-schemathesis-'));
  const errors: string[] = [];
  let host: Host | undefined;
  let helpdesk: ManyKeys | undefined;
  try {
    if (!(await hasPython(scratch))) {
      console.log('e2e:schemathesis needs Python 3.11 or later with venv (python3): skipped');
      console.log('0 passed, 0 failed, 1 skipped');
      return;
    }
    const bin = await pythonProgram({
      name: 'schemathesis',
      python: 'python3',
      requirements: REQUIREMENTS,
      options: ['--require-hashes'],
    });
    host = await startHost({
      portBase: 0,
      dataDir: join(scratch, '.local'),
      onError: (text) => errors.push(text),
    });
    const { session } = host;
    await fill(session);
    helpdesk = await manyKeys(session);
    // One document for both parts. Each is asked at its own address: at the one origin, what is no route is a page.
    const document = await documentOf(session.api_url, join(scratch, 'events.json'));
    const events = { document, config: 'schemathesis.toml', scratch };
    const parts: readonly Part[] = [
      { ...events, url: session.ingestion_url, tag: 'ingestion', token: session.api_key },
      { ...events, url: session.api_url, tag: 'api', token: session.session_jwt },
      {
        url: helpdesk.url,
        document: await documentOf(helpdesk.url, join(scratch, 'helpdesk.json')),
        config: 'helpdesk.toml',
        tag: 'helpdesk',
        token: session.helpdesk_api_key,
        scratch,
      },
    ];
    const runs: Awaited<ReturnType<typeof check>>[] = [];
    for (const part of parts.filter(({ tag }) => tags.length === 0 || tags.includes(tag)))
      runs.push(await check(bin, part));
    // A 5xx that the document knows, of what is not configured here, is said by its line alone; any other by one more.
    const unexpected = errors.filter((error) => !error.trim().endsWith('answered with 5xx'));
    for (const error of unexpected) console.error(`the host: ${error}`);
    const passed = runs.reduce((sum, one) => sum + one.passed, 0);
    const failed = runs.reduce((sum, one) => sum + one.failed, unexpected.length);
    if (failed > 0) process.exitCode = 1;
    console.log(`${passed} passed, ${failed} failed`);
  } finally {
    await helpdesk?.close();
    await host?.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Some of everything, so that answers have something in them. */
async function fill({ ingestion_url, api_url, api_key, session_jwt }: Session): Promise<void> {
  const urls = { ingestionUrl: ingestion_url, apiUrl: api_url };
  const events = createClient({ ...urls, token: () => api_key });
  const api = createClient({ ...urls, token: () => session_jwt });
  for (const id of ['order-1', 'a/b?c#d ü', 'order-3']) {
    await events.postEvents({
      body: {
        event_id: id,
        event_name: 'Purchase',
        event_time: Math.floor(Date.now() / 1_000) - 5,
        event_source_url: 'https://shop.example/thanks',
        value: 59.98,
        currency: 'USD',
        order_id: id,
        items: [{ id: 'SKU-1', quantity: 2, price: 29.99 }],
        user_data: { ...PERSON, browser_ids: BROWSER_IDS },
      },
    });
  }
  await api.createApiKey({ body: { name: 'schemathesis', scopes: ['events:read'] } });
  await api.inviteMember({ body: { email: 'new@shop.example', role: 'member' } });
}

/** The session's key of the helpdesk stands for many. */
async function manyKeys({ helpdesk_url, helpdesk_api_key }: Session): Promise<ManyKeys> {
  const made = Array.from({ length: HELPDESK_KEYS }, async (_, i) => {
    const answer = await fetch(`${helpdesk_url}/api/v1/api-keys`, {
      method: 'POST',
      headers: { 'x-api-key': helpdesk_api_key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `schemathesis ${i}`, scopes: HELPDESK_SCOPES, environment: 'test' }),
    });
    return ((await answer.json()) as { readonly secret: string }).secret;
  });
  return await startManyKeys(helpdesk_url, helpdesk_api_key, await Promise.all(made));
}

/**
 * The document at `url`, as a file. Schemathesis counts a pattern's characters by a length beside it: of `\S`, not blank, in up to
 * 300,000 it makes an expression that takes most of a second to compile, a hundred times. It leaves one that looks ahead alone.
 */
async function documentOf(url: string, file: string): Promise<string> {
  const text = await (await fetch(`${url}/openapi.json`)).text();
  await writeFile(file, text.replaceAll(String.raw`"pattern":"\\S"`, String.raw`"pattern":"(?=\\S)"`));
  return file;
}

interface Part {
  /** Where what the document describes is. */
  readonly url: string;
  readonly document: string;
  /** Name of a file in this folder. */
  readonly config: string;
  readonly tag: string;
  readonly token: string;
  /** It keeps what it found in the folder where it runs, and would ask that first the next time. */
  readonly scratch: string;
}

async function check(
  bin: string,
  { url, document, config, tag, token, scratch }: Part,
): Promise<{ readonly passed: number; readonly failed: number }> {
  const lines: string[] = [];
  const command = {
    program: join(bin, 'python'),
    args: [
      ...[join(bin, 'st'), '--config-file', join(FOLDER, config), 'run', document],
      ...['--url', url, '--include-tag', tag],
    ],
    cwd: scratch,
    env: { ...process.env, MILLRACE_TOKEN: token, NO_COLOR: '1' },
    onLine: (line: string) => {
      lines.push(line);
      console.log(line);
    },
  };
  const limit = setTimeout(TIME_MAX_SEC * 1_000, false, { ref: false });
  const isClean = await Promise.race([succeeds(command), limit]);
  const numberIn = (pattern: RegExp): number => Number(pattern.exec(lines.join('\n'))?.[1] ?? 0);
  const tested = numberIn(/Tested: (\d+)/);
  // No count is no success, and neither is an end that says there was one failure without naming it.
  if (isClean) return tested === 0 ? { passed: 0, failed: 1 } : { passed: tested, failed: 0 };
  return { passed: 0, failed: Math.max(1, numberIn(/(\d+) failures?\b[^:]* in /)) };
}

exitOnSignals();
main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  console.log('0 passed, 1 failed');
  process.exit(1);
});
