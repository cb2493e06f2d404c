// The events figures are about. Most are about a purchase of 1.15 KB with everything a shop knows about the person and three items.
// Each index is another person, order and device, so that nothing is measured on a warm cache of one value.
import { hash } from 'node:crypto';

const FIRST = ['Jane', 'Maria', 'Ayla', 'Tom', 'Chloe', 'Zoe', 'Mateo', 'Priya', 'Lucas', 'Hannah'];
const LAST = [
  'Doe',
  'Garcia',
  'Miller',
  'Smith',
  "O'Neill",
  'Rossi',
  'Nguyen',
  'Kowalska',
  'Silva',
  'van Dyk',
];
const PLACES = [
  ['Menlo Park', 'CA', '94025'],
  ['New York', 'NY', '10001'],
  ['San Antonio', 'TX', '78205'],
  ['Portland', 'OR', '97204-1234'],
] as const;
const MAIL = ['gmail.com', 'example.com', 'outlook.com', 'yahoo.com'];
const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
];

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
/** Digits that look random and are the same every time. */
const digits = (index: number, count: number): string =>
  String((index * 2_654_435_761 + 97_003) % 4_294_967_291)
    .padStart(10, '7')
    .repeat(2)
    .slice(0, count);

/** A click id's alphabet, which deflate can do little with. */
const letters = (index: number, count: number): string =>
  hash('sha512', `click ${index}`, 'base64url').slice(0, count);

/** `timeSec`: when the order was placed, seconds. */
export function standardEvent(index: number, timeSec: number) {
  const first = at(FIRST, index);
  const last = at(LAST, index * 7 + Math.floor(index / 10));
  const [city, state, zip] = at(PLACES, index);
  const order = `10${String(index).padStart(6, '0')}`;
  const plain = `${first}.${last}`.normalize('NFD').replace(/[^A-Za-z.]/g, '');
  return {
    event_id: `order-${order}-${digits(index, 8)}`,
    event_name: 'Purchase',
    event_time: timeSec,
    action_source: 'website',
    event_source_url: `https://shop.example/checkout/thank-you?order=${order}&utm_source=meta&utm_campaign=autumn`,
    referrer_url: 'https://shop.example/checkout/payment',
    user_data: {
      email: `${plain}${index}@${at(MAIL, index)}`,
      phone: `+1 650 ${digits(index, 3)} ${digits(index + 1, 4)}`,
      first_name: first,
      last_name: last,
      gender: index % 2 === 0 ? 'f' : 'm',
      date_of_birth: `19${60 + (index % 40)}-0${1 + (index % 9)}-1${index % 10}`,
      city,
      state,
      zip,
      country: 'US',
      customer_id: `cust-${digits(index, 7)}`,
      client_ip: `203.0.113.${index % 250}`,
      user_agent: at(AGENTS, index),
      browser_ids: {
        fbp: `fb.1.17951${digits(index, 8)}.${digits(index + 3, 10)}`,
        fbc: `fb.1.17951${digits(index, 8)}.IwAR2F4-dbP0l7Mn1Iaw${letters(index, 41)}`,
        ga_client_id: `${digits(index + 7, 10)}.1795${digits(index + 9, 6)}`,
      },
    },
    order_id: order,
    value: (5_998 + (index % 5_000)) / 100,
    consent: { ad_user_data: 'granted', analytics: 'granted' },
    custom_data: { coupon: 'AUTUMN10' },
    currency: 'USD',
    items: [
      { id: `sku-${digits(index, 5)}`, quantity: 2, price: 24.99 },
      { id: `sku-${digits(index + 1, 5)}`, quantity: 1, price: 10 },
      { id: `sku-${digits(index + 2, 5)}`, quantity: 1 + (index % 3), price: 4.5 },
    ],
  };
}

/** A page of a product, seen by a visitor who is known by cookies alone. */
function viewEvent(index: number, timeSec: number, clicked: boolean) {
  const { user_data, consent, items, ...event } = standardEvent(index, timeSec);
  const { fbp, fbc, ga_client_id } = user_data.browser_ids;
  const [item] = items;
  return {
    event_id: `view-${event.event_id}`,
    event_name: 'ViewContent',
    event_time: timeSec,
    action_source: 'website',
    event_source_url: `https://shop.example/products/${digits(index, 5)}`,
    referrer_url: 'https://shop.example/',
    user_data: {
      client_ip: user_data.client_ip,
      user_agent: user_data.user_agent,
      browser_ids: { fbp, ga_client_id, ...(clicked ? { fbc } : {}) },
    },
    consent,
    value: 24.99,
    currency: 'USD',
    items: [item],
  };
}

/** What a shop sends: of a hundred events two orders, twenty that come with a click id, and seventy-eight other views. */
export const mixedEvent = (index: number, timeSec: number) =>
  index % 50 === 0 ? standardEvent(index, timeSec) : viewEvent(index, timeSec, index % 5 === 1);

/** The same with a name that has more than one spelling: each is a digest more in the row. */
export const accentedEvent: typeof standardEvent = (index, timeSec) => {
  const event = standardEvent(index, timeSec);
  return { ...event, user_data: { ...event.user_data, first_name: 'Zoë', last_name: 'Müller-Łuczak' } };
};
