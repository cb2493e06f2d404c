// The embedded host in a process of its own, for tests that kill it, and what they ask of it afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Session } from '../../services/local/session.ts';

export interface KillableHost {
  readonly child: ChildProcess;
  readonly session: Session;
}

/** On free ports; resolves when it is up. */
export async function startHostProcess(dataDir: string): Promise<KillableHost> {
  const child = spawn(process.execPath, ['test/e2e/host-process.ts', '0', dataDir, '1000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const session = await new Promise<Session>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const line = text.split('\n')[0];
      if (line !== undefined && text.includes('\n')) resolve(JSON.parse(line) as Session);
    });
    child.once('exit', (code) => reject(new Error(`the host ended with ${code} before it was up`)));
  });
  return { child, session };
}

/** Nothing to do for one that has ended. */
export async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** Every event there is, page by page. */
export async function allEvents<Row>(session: Session): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const url = `${session.api_url}/v1/events?limit=100${query}`;
    const page: { events: Row[]; next_cursor: string | null } = await json(url, session);
    rows.push(...page.events);
    cursor = page.next_cursor;
  }
  return rows;
}

export async function json<T>(url: string, session?: Session, method = 'GET'): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: session === undefined ? {} : { authorization: `Bearer ${session.session_jwt}` },
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Disconnects the others: for a test whose question is not what each platform gets. */
export async function keepPlatforms(session: Session, ...kept: readonly string[]): Promise<void> {
  const { platforms } = await json<{ platforms: readonly { id: string; platform: string }[] }>(
    `${session.api_url}/v1/platforms`,
    session,
  );
  for (const { id, platform } of platforms)
    if (!kept.includes(platform)) await json(`${session.api_url}/v1/platforms/${id}`, session, 'DELETE');
}

export async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  const endMs = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > endMs) throw new Error(`not so within ${withinMs} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
