// What the person at the keyboard gets to see. Colours only where the terminal wants them; the same error once in ten seconds.
import { inspect, stripVTControlCharacters, styleText } from 'node:util';
import type { Host } from './host.ts';
import type { SampleArrival, SampleReport } from './sample.ts';

export interface Screen {
  say(text: string): void;
  error(text: string): void;
  welcome(host: Host, tookMs: number): void;
  sample(report: SampleReport): void;
}

const REPEAT_MS = 10_000;
/** Every platform shows its part, and all of them together still fit a few screens. */
const PAYLOAD_LINES_MAX = 5;
const PAYLOAD_WIDTH = 104;
const PAYLOAD_TEXT_MAX_CHARS = 40;

export function screenOn(stream: NodeJS.WriteStream): Screen {
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    styleText(format, text, { stream });
  const shown = new Map<string, number>();
  const say = (text: string): void => void stream.write(`${text}\n`);
  return {
    say,
    error(text) {
      const nowMs = performance.now();
      if (nowMs - (shown.get(text) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
      if (shown.size > 1_000) shown.clear();
      shown.set(text, nowMs);
      process.stderr.write(`${style('red', 'error')} ${stripVTControlCharacters(text)}\n`);
    },
    welcome: (host, tookMs) => say(welcome(host, tookMs, style)),
    sample: (report) => say(sample(report, style)),
  };
}

type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

function welcome({ session, dataDir }: Host, tookMs: number, style: Style): string {
  const row = (name: string, value: string, note = ''): string =>
    `  ${style('dim', name.padEnd(11))}${value}${note === '' ? '' : style('dim', `  ${note}`)}`;
  return [
    `${style('bold', 'Millrace is running')} ${style('dim', `(ready after ${seconds(tookMs)}; Ctrl-C stops it)`)}`,
    '',
    row(
      'dashboard',
      session.dashboard_url,
      `sign in as ${session.owner_email} with password ${session.owner_password}`,
    ),
    row('ingestion', session.ingestion_url),
    row('api', session.api_url),
    row('helpdesk', session.helpdesk_url, `X-API-Key ${session.helpdesk_api_key}`),
    row(
      'sandbox',
      session.sandbox_url,
      'stands in for the platforms: /received /counted /faults /webhooks /mail',
    ),
    row('issuer', session.issuer_url, 'stands in for Cognito'),
    row('data', dataDir, 'session.json, millrace.log'),
    row('merchant', session.merchant_id),
    row('API key', session.api_key),
    '',
    `${style('bold', 'Send an event')}`,
    `  ${curlLine(session)}`,
    '',
  ].join('\n');
}

function curlLine({ ingestion_url, api_key }: Host['session']): string {
  const body = `{"event_id":"order-'$RANDOM'","event_name":"Purchase","event_time":'$(date +%s)',"value":59.98,"currency":"USD","event_source_url":"https://shop.example/thanks","user_data":{"email":"jane@example.com"}}`;
  return `curl -s ${ingestion_url}/v1/events -H 'authorization: Bearer ${api_key}' -H 'content-type: application/json' -d '${body}'`;
}

function sample(report: SampleReport, style: Style): string {
  const title = style('bold', 'A sample purchase, sent through the pipeline');
  if (report.status !== 202) return `${title}\n  was not accepted: HTTP ${report.status}`;
  const took = `202 after ${Math.round(report.acceptedAfterMs)} ms, at all platforms after ${seconds(report.arrivedAfterMs)}`;
  const blocks = [...report.arrivals].map(([slug, arrival]) => received(slug, arrival, style));
  const whole = style('dim', 'Whole payloads: /received of the sandbox.');
  return [`${title} ${style('dim', `(${report.eventId}: ${took})`)}`, ...blocks, '', whole, ''].join('\n');
}

function received(slug: string, arrival: SampleArrival | undefined, style: Style): string {
  if (arrival === undefined) return `\n  ${style('yellow', slug)} has not received it yet`;
  const verdict = arrival.accepted
    ? style('green', 'accepted')
    : style('red', `refused: ${arrival.reason ?? ''}`);
  return `\n  ${style('cyan', slug)} received ${style('bold', arrival.event_name)} and ${verdict} it\n${payload(arrival, style)}`;
}

/** Digests are cut: that they are digests is what matters. So are long texts, such as user agents. */
function payload({ payload: value }: SampleArrival, style: Style): string {
  const text = inspect(shortened(value), { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 8 });
  const lines = wrapped(text);
  const shown = lines.length > PAYLOAD_LINES_MAX ? [...lines.slice(0, PAYLOAD_LINES_MAX), '…'] : lines;
  return shown.map((line) => `    ${style('dim', line)}`).join('\n');
}

/** Breaks after commas. */
function wrapped(text: string): string[] {
  const lines = [''];
  for (const part of text.split(/(?<=, )/)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + part.trimEnd().length > PAYLOAD_WIDTH) lines.push(part);
    else lines[lines.length - 1] = line + part;
  }
  return lines;
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    if (/^[0-9a-f]{64}$/.test(value)) return `${value.slice(0, 10)}…`;
    return value.length > PAYLOAD_TEXT_MAX_CHARS ? `${value.slice(0, PAYLOAD_TEXT_MAX_CHARS)}…` : value;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]));
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
