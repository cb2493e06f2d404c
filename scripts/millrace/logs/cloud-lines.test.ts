// Goal: `tail` shows each line of its own deployment once, whatever AWS answers and in whatever order lines arrive. Method: the real
// clients before an account of the test's own; lines arrive while the command waits.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type EmulatedAccount, useEmulatedAccount } from '#test/support/account-emulator.ts';
import { findDeployment } from '../deployment.ts';
import { logLines } from './log-lines.ts';

const NOW_MS = Date.now();
/** Between two rounds. No other wait is as long. */
const ROUND_MS = 2_000;
const [PRODUCTION, STAGING] = ['Millrace', 'MillraceStaging'].map((prefix) => ({
  ingestion: `${prefix}Events-IngestionLogs`,
  reader: `${prefix}Operator-ReaderLogs`,
})) as [Groups, Groups];
interface Groups {
  readonly ingestion: string;
  readonly reader: string;
}
/** Of a stack of before: CloudFormation kept it. */
const KEPT = 'MillraceStagingEvents-IngestionLogs-1x2y';

let aws: EmulatedAccount;
beforeEach(async () => {
  aws = await useEmulatedAccount();
  for (const prefix of ['Millrace', 'MillraceStaging']) {
    const outputs = { OperatorAdminUrl: 'https://a.example', OperatorReaderUrl: 'https://r.example' };
    stack(`${prefix}Operator`, 'ReaderLogs', outputs);
    stack(`${prefix}Events`, 'IngestionLogs');
  }
  for (const group of [...Object.values(PRODUCTION), ...Object.values(STAGING), KEPT])
    aws.logs.set(group, []);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.close();
});

function stack(name: string, logs: string, outputs: object = {}): void {
  const Resources = { [logs]: { Type: 'AWS::Logs::LogGroup' }, Role: { Type: 'AWS::IAM::Role' } };
  aws.stacks.set(name, { status: 'CREATE_COMPLETE', template: { Resources }, outputs });
}

const put = (group: string, message: string, atMs: number): void => {
  aws.logs.get(group)?.push({ timestamp: NOW_MS + atMs, message });
};

/** What is shown until it has waited as often as `arriving` has entries and once more; each is called in one such wait. */
async function shown(environment: string, arriving: readonly (() => void)[] = []) {
  const waits: number[] = [];
  const left = [...arriving];
  let rounds = 0;
  const enough = new Error('enough');
  const pause = async (ms: number) => {
    waits.push(ms);
    if (ms !== ROUND_MS) return;
    left.shift()?.();
    rounds += 1;
    if (rounds > arriving.length) throw enough;
  };
  const lines: string[] = [];
  try {
    for await (const line of logLines(await findDeployment(environment), NOW_MS - 60_000, pause))
      lines.push(line);
  } catch (error) {
    if (error !== enough) throw error;
  }
  return { lines, waits };
}

it('shows lines of the environment that is meant, and of no group that its stacks have no more', async () => {
  for (const group of [...Object.values(PRODUCTION), ...Object.values(STAGING), KEPT]) put(group, group, 0);
  expect((await shown('staging')).lines.sort()).toEqual(Object.values(STAGING).sort());
  expect((await shown('none')).lines.sort()).toEqual(Object.values(PRODUCTION).sort());
});

it('goes on where a group of a stack was deleted by hand', async () => {
  aws.logs.delete(STAGING.reader);
  put(STAGING.ingestion, 'here', 0);
  expect((await shown('staging')).lines).toEqual(['here']);
});

it('shows all pages in order of time, over all groups', async () => {
  for (let at = 0; at < 5; at++) put(STAGING.ingestion, `i${at}`, at * 10);
  for (let at = 0; at < 3; at++) put(STAGING.reader, `r${at}`, at * 10 + 5);
  put(STAGING.reader, 'too old', -60_001);
  expect((await shown('staging')).lines).toEqual(['i0', 'r0', 'i1', 'r1', 'i2', 'r2', 'i3', 'i4']);
});

it('shows each line once, also one that arrives late or with the time of a line that was shown', async () => {
  put(STAGING.ingestion, 'first', 0);
  const arriving = [
    () => put(STAGING.ingestion, 'same time', 0),
    () => put(STAGING.ingestion, 'late', -20_000),
    () => put(STAGING.reader, 'from the quiet group, later still', -50_000),
    () => put(STAGING.ingestion, 'last', 5_000),
  ];
  expect((await shown('staging', arriving)).lines).toEqual([
    'first',
    'same time',
    'late',
    'from the quiet group, later still',
    'last',
  ]);
});

it('loses no line that arrives while it reads for long', async () => {
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  let nowMs = NOW_MS;
  put(STAGING.ingestion, 'before', 0);
  put(STAGING.ingestion, 'later', 120_000);
  const arriving = [
    () => put(STAGING.ingestion, 'arrived while pages were read', 1_000),
    () => {
      nowMs += 120_000;
    },
    () => put(STAGING.ingestion, 'arrived late', 95_000),
  ];
  const { lines } = await shown('staging', arriving);
  clock.mockRestore();
  expect(lines).toEqual(['before', 'later', 'arrived while pages were read', 'arrived late']);
});

it('waits where AWS says that it is asked too often, longer each time, and shows what it would have', async () => {
  put(STAGING.ingestion, 'one', 0);
  const { lines, waits } = await shown('staging', [
    () => {
      aws.throttles = 3;
      put(STAGING.ingestion, 'two', 1);
    },
  ]);
  expect(lines).toEqual(['one', 'two']);
  const backedOff = waits.filter((ms) => ms > 250 && ms !== ROUND_MS);
  expect(backedOff).toHaveLength(3);
  expect(backedOff).toEqual([...backedOff].sort((a, b) => a - b));
});

it('gives up with a sentence where AWS goes on saying so', async () => {
  const busy = shown('staging', [
    () => {
      aws.throttles = 1_000;
    },
    () => undefined,
  ]);
  await expect(busy).rejects.toThrow('the logs were not read: ThrottlingException: Rate exceeded');
});

it('asks four times a second at most', async () => {
  const { waits } = await shown(
    'staging',
    Array.from({ length: 6 }, () => () => undefined),
  );
  const calls = aws.asked.filter((operation) => operation === 'FilterLogEvents').length;
  expect(waits.filter((ms) => ms === 250)).toHaveLength(calls);
});

it('says what it may not do', async () => {
  aws.denied.add('FilterLogEvents');
  await expect(shown('staging')).rejects.toThrow('AWS does not allow it: the logs were not read.');
});
