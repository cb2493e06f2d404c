// Goal: from an empty account to a delivered event with what the documents say, and nobody makes a merchant whom IAM does not let.
// Method: the command as an operator types it, against a stack that `npm run e2e:ministack` or `e2e:localstack-deployed` has deployed;
// its own curl is run.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findDeployment } from '../../scripts/millrace/deployment.ts';
import { signedPost } from '../../scripts/millrace/signed-request.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Of the emulator. Set by scripts/deploy-local/e2e.ts. */
const { MILLRACE_DEPLOYED_TO: endpoint, MILLRACE_CHECKS_SIGNATURES: checksSignatures } = process.env;
const run = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function millrace(...args: readonly string[]): Promise<Ended> {
  const command = ['millrace', ...args, '--emulator', endpoint ?? ''];
  try {
    return { code: 0, ...(await run('npx', command, { cwd: ROOT })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Error & Ended;
    return { code, stdout, stderr };
  }
}

const SHOP = ['Straße & "Söhne"', '--owner', 'first@shop.example'];
const FIRST = ['merchants', 'create', ...SHOP, '--subject', 'first', '--admin-key'];
const keyIn = (text: string, label: string): string =>
  new RegExp(`^${label} +((?:evk|hdk)_live_\\w+)$`, 'm').exec(text)?.[1] ?? '';

describe.skipIf(endpoint === undefined)('the first merchant of a deployment', () => {
  it('is made by one command, which ends with a request that is accepted and delivered', async () => {
    const { code, stdout } = await millrace(...FIRST);
    expect(code).toBe(0);
    const admin = keyIn(stdout, 'admin key');
    expect([admin, keyIn(stdout, 'key'), keyIn(stdout, 'desk key')]).not.toContain('');
    const { apiUrl } = await findDeployment();
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
    const body = JSON.stringify({
      platform: 'meta',
      credentials: { pixel_id: '1234567890', access_token: 'EAAyourToken' },
    });
    const connected = await fetch(`${apiUrl}/v1/platforms`, { method: 'POST', headers, body });
    expect([connected.status, await connected.text()]).toEqual([201, expect.any(String)]);
    const curl = stdout.slice(stdout.indexOf('curl -s'));
    const { stdout: answered } = await run('bash', ['-c', `${curl.trim()} -w '%{http_code}'`]);
    expect(answered).toMatch(/202$/);
    const eventId = /"event_id":"(first-\d+)"/.exec(curl)?.[1];
    await expect
      .poll(async () => (await fetch(`${apiUrl}/v1/events/${eventId}`, { headers })).text())
      .toContain('"DELIVERED"');
  });

  it('is the same one when the command is repeated, and its keys are not shown again', async () => {
    const first = await millrace(...FIRST);
    const again = await millrace(...FIRST);
    const id = /^merchant +(\S+)/m.exec(first.stdout)?.[1];
    expect(/^merchant +(\S+)/m.exec(again.stdout)?.[1]).toBe(id);
    expect(again.stdout).toContain('was there already');
    expect(again.stdout).not.toMatch(/(?:evk|hdk)_/);
  });

  it('is listed with what it has connected, and shown by its name', async () => {
    const { code, stdout } = await millrace('merchants', 'list', '--json');
    const all = JSON.parse(stdout) as {
      readonly id: string;
      readonly name: string;
      readonly owners: string[];
    }[];
    const first = all.find(({ name }) => name === SHOP[0]);
    expect([code, first?.owners]).toEqual([0, ['first@shop.example']]);
    const shown = await millrace('merchants', 'show', SHOP[0] ?? '');
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^platform +meta +\S+ +active$/m)]);
    expect(shown.stdout).toContain(first?.id);
  });

  it('is suspended, so that its keys open nothing, and goes on', async () => {
    const made = await millrace(
      'merchants',
      'create',
      'Second shop',
      '--owner',
      'second@shop.example',
      '--subject',
      'second',
    );
    const { ingestionUrl } = await findDeployment();
    const authorization = `Bearer ${keyIn(made.stdout, 'key')}`;
    const post = async () => {
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await fetch(`${ingestionUrl}/v1/events`, { method: 'POST', headers, body: '{}' });
      return [answer.status, ((await answer.json()) as { readonly code?: string }).code];
    };
    expect(await post()).toEqual([400, 'invalid_request']);
    const suspended = await millrace('merchants', 'suspend', 'Second shop', '--reason', 'not paid');
    expect([suspended.code, suspended.stderr]).toEqual([0, '']);
    expect(await post()).toEqual([403, 'merchant_suspended']);
    const status = await millrace('status');
    expect([status.code, status.stdout]).toEqual([0, expect.stringMatching(/Second shop +suspended/)]);
    expect(status.stdout).toMatch(/^deliveries meta +\d+ +\d+ +\d+$/m);
    expect((await millrace('merchants', 'resume', 'Second shop')).code).toBe(0);
    expect(await post()).toEqual([400, 'invalid_request']);
  });

  it('has limits and people of the operator', async () => {
    const limits = await millrace('merchants', 'limits', SHOP[0] ?? '', '--events-per-minute', '2000000');
    expect([limits.code, limits.stdout]).toEqual([0, expect.stringMatching(/2,000,000 +its own/)]);
    const who = [SHOP[0] ?? '', 'anna@shop.example', '--role', 'agent', '--subject', 'anna'];
    expect((await millrace('people', 'invite', ...who)).code).toBe(0);
    const people = await millrace('people', 'list', SHOP[0] ?? '');
    expect([people.code, people.stdout]).toEqual([0, expect.stringMatching(/^anna@shop\.example +agent /m)]);
  });

  it.each([
    [
      'an address that is none',
      [...FIRST.slice(0, 4), 'nobody', '--subject', 'x'],
      /owner must be an e-mail/,
    ],
    [
      'no subject where there is no user pool',
      ['merchants', 'create', 'Third', '--owner', 'x@y.example'],
      /subject is required/,
    ],
  ])('is refused %s in a sentence', async (_what, args, sentence) => {
    const { code, stdout, stderr } = await millrace(...args);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
  });

  it.skipIf(checksSignatures === '0')('is made by nobody without a signature that IAM takes', async () => {
    const { operatorUrl, region } = await findDeployment();
    const url = `${operatorUrl}/operator/v1/merchants`;
    const unsigned = await fetch(url, { method: 'POST', body: '{}' });
    expect(unsigned.status).toBe(403);
    const known = process.env.AWS_ACCESS_KEY_ID;
    process.env.AWS_ACCESS_KEY_ID = 'AKIAUNKNOWN000000000';
    const stranger = await signedPost(url, '{}', { region });
    process.env.AWS_ACCESS_KEY_ID = known;
    expect(stranger.status).toBe(403);
  });
});
