// What a preview gives to platforms that want more than an event: a token, time and chance; and what it makes of those that
// decide by the credentials or cannot build a request.
import { describe, expect, it } from 'vitest';
import { MASK } from '#lib/events/platforms/mask.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import { previewPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import { bodyOf, NOW, openApi } from '#test/contract/api-host.ts';

const meta = platformBySlug('meta');
if (meta === undefined) throw new Error('Meta is gone');
const EVENT = {
  event_id: 'order-1',
  event_name: 'PageView',
  event_time: Math.floor(NOW / 1_000),
  user_data: { email: 'jane@example.com' },
};
const credentials = { pixel_id: '1234567890', access_token: 'EAAB-very-secret' };

async function preview(changes: Partial<Platform>) {
  const host = await openApi(() => ({
    platforms: [{ ...meta, ...changes } as Platform],
    transport: async () => {
      throw new Error('a preview contacts nobody');
    },
  }));
  const request = {
    method: 'POST',
    token: host.session('admin'),
    body: { platform: 'meta', event: EVENT, credentials },
  };
  const reply = await host.call('/v1/platforms/preview', request);
  return { body: bodyOf(previewPlatform, reply), text: reply.text, reports: host.reports };
}

const shy: Platform['buildRequest'] = (events, given, context) => ({
  ...meta.buildRequest(events, given, context),
  headers: {
    authorization: `Bearer ${context.accessToken}`,
    'x-signed': `${context.nowMs} ${context.nonce}`,
    // Not in `secrets`: a platform may forget one.
    'x-again': (given as typeof credentials).access_token,
  },
  secrets: [],
});
const oauth: NonNullable<Platform['oauth']> = {
  buildTokenRequest: () => {
    throw new Error('nobody is asked for a token');
  },
  readTokenResponse: () => ({ kind: 'retry', code: 'never' }),
};

describe('a preview', () => {
  it('stands in for a token nobody was asked for, and masks it and what the platform forgot', async () => {
    const { body, text } = await preview({ oauth, buildRequest: shy });
    expect(body.request?.headers).toMatchObject({ authorization: `Bearer ${MASK}`, 'x-again': MASK });
    expect(body.request?.headers['x-signed']).toMatch(new RegExp(`^${NOW} [0-9a-f]{32}$`));
    expect(text).not.toContain(credentials.access_token);
  });

  it('gives no token where the credentials hold one themselves', async () => {
    const { body } = await preview({ oauth: { ...oauth, needed: () => false }, buildRequest: shy });
    expect(body.request?.headers.authorization).toBe('Bearer undefined');
  });

  it('warns of what the credentials leave out, as well as of what the platform does', async () => {
    const { body } = await preview({
      unsendable: (event, given) =>
        given === undefined ? null : { verdict: 'unmapped', detail: event.name },
    });
    expect(body.request).toBeNull();
    expect(body.errors).toMatchObject([{ code: 'unmapped', field: 'event_name' }]);
    expect(body.warnings).toContainEqual(body.errors[0]);
  });

  it('says that there is no request rather than failing', async () => {
    const { body, reports } = await preview({
      buildRequest: () => {
        throw new RangeError('neither keys nor a token');
      },
    });
    expect(body).toMatchObject({ request: null, errors: [{ code: 'not_buildable' }] });
    expect(reports).toHaveLength(1);
  });

  it('says that a platform was never tried with a real account', async () => {
    const { body } = await preview({ experimental: true });
    expect(body.warnings.map(({ code }) => code)).toContain('experimental');
  });
});
