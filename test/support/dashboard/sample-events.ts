// Events of every kind a page has to show, through the real ingestion: delivered, withheld, refused, and with hostile texts.
import type { Session } from '#services/local/session.ts';
import { ingest } from './sample-shop.ts';

/** Shown as text wherever they come from. */
export const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  "javascript:alert('x')//",
  '\u202egnirts desrever',
  '👩‍👩‍👧',
  'x'.repeat(64),
  'order.1001',
  'a b&c=d?e#f%2e',
  '日本語/スラッシュ',
] as const;

export const hostileId = (index: number): string => `${HOSTILE[index]}-${index}`.slice(-64);

const NAMES = ['PageView', 'ViewContent', 'AddToCart', 'Purchase', 'InitiateCheckout', 'Lead'];

type Sender = Pick<Session, 'ingestion_url' | 'api_key'>;

const common = { event_source_url: 'https://shop.example/p' };
const nowSec = (): number => Math.floor(Date.now() / 1_000);

/** Of all kinds, which are there after 42. `name`: of their ids. */
const orders = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...common,
    event_id: `${name}-${1_000 + index}`,
    event_name: NAMES[index % NAMES.length],
    event_time: nowSec() - 60 - index,
    user_data: { email: `person${index}@example.com` },
    ...(index % 6 === 3 ? { value: 10 + index, currency: 'USD', order_id: `${index}` } : {}),
    ...(index % 7 === 0 ? { consent: { ad_user_data: 'denied', ad_personalization: 'denied' } } : {}),
  }));

const hostile = () =>
  HOSTILE.map((text, index) => ({
    ...common,
    event_id: hostileId(index),
    event_name: text.slice(0, 40),
    event_time: nowSec() - 5,
    user_data: { email: 'hostile@example.com' },
    custom_data: { [text]: text, long: 'y'.repeat(5_000) },
  }));

export const sendOrders = (to: Sender, name = 'order'): Promise<void> => ingest(to, orders(name, 60));

/** With the hostile ones some more than a page of the list has: each is delivered to every platform. */
export const sendSamples = (to: Sender): Promise<void> => ingest(to, [...orders('order', 44), ...hostile()]);
