// The 14 places of an event where something personal may stand beside declared identity, and how it may be encoded there.
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import { sampleEvent } from '#test/support/sample-event.ts';

/** `name`: of the parameter or member, where the place has one. */
type Put = (value: string, name: string) => Partial<NormalizedEvent>;

const SHOP = 'https://shop.example';
const item =
  (word: string): Put =>
  (value, name) => ({
    items: [{ id: 'SKU-1', quantity: '1', price: '1', [word]: text(value, name) }],
  });
/** In prose, where there is no parameter, its name stands before it. */
const text = (value: string, name: string): string =>
  name === '' ? `For ${value} only` : `${name}: ${value}`;
const parameter = (value: string, name: string): string =>
  `${encodeURIComponent(name === '' ? 'x' : name)}=${value}`;
const segment = (value: string, name: string): string => (name === '' ? value : `${name}=${value}`);

export const PLACES: Readonly<Record<string, Put>> = {
  'query of the address': (value, name) => ({
    eventSourceUrl: `${SHOP}/a?q=1&${parameter(value, name)}&z=2`,
  }),
  'address within the address': (value, name) => ({
    eventSourceUrl: `${SHOP}/a?next=${encodeURIComponent(`/b?${parameter(value, name)}&c=3`)}`,
  }),
  'path of the address': (value, name) => ({ eventSourceUrl: `${SHOP}/a/${segment(value, name)}/b?z=2` }),
  'fragment of the address': (value, name) => ({ eventSourceUrl: `${SHOP}/a#${parameter(value, name)}` }),
  'query of the referrer': (value, name) => ({ referrerUrl: `${SHOP}/a?${parameter(value, name)}` }),
  'path of the referrer': (value, name) => ({ referrerUrl: `${SHOP}/${segment(value, name)}` }),
  'search text': (value, name) => ({ customData: { search_string: text(value, name) } }),
  'title of the page': (value, name) => ({ customData: { page_title: text(value, name) } }),
  'name of an item': item('name'),
  'brand of an item': item('brand'),
  'variant of an item': item('variant'),
  'key of custom data': (value, name) => ({ customData: { [text(value, name)]: 1 } }),
  'value of custom data': (value, name) => ({ customData: { [name === '' ? 'note' : name]: value } }),
  'deep in custom data': (value, name) => ({
    customData: { a: [{ b: { [name === '' ? 'note' : name]: [value] } }] },
  }),
};

/** Spaces alone are written as addresses write them. */
const plain = (value: string): string => value.replaceAll(' ', '%20');
const wide = (value: string): string =>
  value.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));

export const ENCODINGS: Readonly<Record<string, (value: string) => string>> = {
  plain,
  once: encodeURIComponent,
  twice: (value) => encodeURIComponent(encodeURIComponent(value)),
  'three times': (value) => encodeURIComponent(encodeURIComponent(encodeURIComponent(value))),
  base64url: (value) => Buffer.from(value).toString('base64url'),
  'full width': (value) => encodeURIComponent(wide(value)),
};

export const eventWith = (place: Put, value: string, name: string): NormalizedEvent => ({
  ...sampleEvent(),
  ...place(value, name),
});
