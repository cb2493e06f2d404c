// Normalizing and hashing one person: every variant of every platform, beside other products that make Meta's set alone.
import { hash } from 'node:crypto';
import { nationalPhone } from '#lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '#lib/adapters/regions/region-codes.ts';
import { normalizeIdentity } from '#lib/events/domain/identity/normalize.ts';
import { loadPeers } from '../peers.ts';
import { atLeast, figure, type Row, report } from '../result.ts';
import { inRounds, perCore, type Work } from '../rounds.ts';
import { standardEvent } from '../standard-event.ts';

const PEOPLE = 256;
const people = Array.from({ length: PEOPLE }, (_, i) => standardEvent(i, 1_795_262_340).user_data);
const lookups = { nationalPhone, countryCode, regionCode };
const texts = people.map((p) => [
  ...[p.email, p.phone, p.first_name, p.last_name, p.gender, p.date_of_birth],
  ...[p.city, p.state, p.zip, p.country, p.customer_id, p.customer_id.toUpperCase()],
]);

const over =
  (work: (index: number) => unknown): Work =>
  (count) => {
    for (let i = 0; i < count; i++) work(i % PEOPLE);
  };

const peers = await loadPeers(process.env.MILLRACE_BENCH_PEERS === '1');
const figures = await inRounds({
  ours: over((i) => normalizeIdentity(people[i] as (typeof people)[number], lookups)),
  'twelve hashes': over((i) => texts[i]?.map((text) => hash('sha256', text, 'hex'))),
  ...Object.fromEntries(
    peers.found.map(({ name, metaUserData }) => [
      name,
      over((i) => metaUserData(people[i] as (typeof people)[number])),
    ]),
  ),
} as Record<string, Work>);

const perSec = (name: string): number => {
  const own = figures[name];
  return own === undefined ? 0 : perCore(own);
};
const fastest = Math.max(0, ...peers.found.map(({ name }) => perSec(name)));
const digests = new Set(
  Object.values(normalizeIdentity(people[0] as (typeof people)[number], lookups).hashed).flat(),
).size;
const rows: Row[] = [
  figure('twelve SHA-256 alone (a limit)', perSec('twelve hashes'), '/s and core'),
  atLeast('all variants of all platforms', perSec('ours'), '/s and core', 100_000),
  figure('distinct digests of one person', digests, ''),
  ...peers.found.map(({ name }) => figure(`${name}, Meta's set`, perSec(name), '/s and core')),
];
if (fastest > 0)
  rows.push(figure("all variants against Meta's set of the fastest peer", perSec('ours') / fastest, 'x'));
report({
  benchmark: 'normalize + hash',
  rows,
  notes: [
    "one pass makes every variant: the product has no path that makes Meta's set alone",
    ...peers.missing,
  ],
});
