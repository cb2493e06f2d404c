// What a shop has set up, for pages to show: rules of every kind, an invitation, an erasure.
import type { Session } from '#services/local/session.ts';
import { asOwner } from './as-owner.ts';
import { HOSTILE } from './sample-events.ts';

const RULES = [
  {
    name: 'Half of the margin to Meta',
    match: { event_name: ['Purchase', 'Refund'], currency: 'USD', value_min: 20, country: ['US', 'DE'] },
    action: {
      type: 'transform',
      changes: [
        { op: 'scale_value', factor: 0.5 },
        { op: 'drop_field', field: 'user_data.phone' },
        { op: 'set_field', field: 'custom_data.plan.tier', value: 'gold' },
      ],
    },
    platforms: ['meta'],
  },
  {
    name: 'A tenth of the page views',
    match: { event_name: ['PageView'] },
    action: { type: 'sample', rate: 0.1 },
  },
  {
    name: 'No staff',
    enabled: false,
    match: { consent: { ad_storage: 'denied' }, custom_data: [{ path: 'staff', equals: true }] },
    action: { type: 'exclude' },
  },
  ...HOSTILE.map((text) => ({
    name: text,
    match: { source: [text.slice(0, 40)], items: { brand: [text] } },
    action: { type: 'include' },
  })),
];

export async function setUpSamples(session: Session): Promise<void> {
  for (const rule of RULES) await made(session, '/v1/rules', rule);
  await made(session, '/v1/members/invitations', { email: 'ada.lovelace@shop.example', role: 'admin' });
  await made(session, '/v1/privacy/erasures', { email: 'nobody@example.com' });
}

async function made(session: Session, path: string, body: unknown): Promise<void> {
  const { status, body: answer } = await asOwner(session, 'POST', path, body);
  if (status >= 300) throw new Error(`${path} was refused: ${JSON.stringify(answer)}`);
}
