// Click and browser identifiers leave in the form their platform documents, or not at all and with an issue; what a sender
// did not name is read from the addresses as the pixel reads it.
import { describe, expect, it } from 'vitest';
import { NO_LOOKUPS } from '#test/support/no-lookups.ts';
import { CLICK_PARAMETER_COUNT, CLICK_PARAMETERS } from './click-parameters.ts';
import { BROWSER_ID_KEYS, type BrowserIds } from './identity.ts';
import { normalizeIdentity } from './normalize.ts';

const AT_MS = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const FBCLID = 'IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk';

function read(browser_ids: BrowserIds | undefined, ...addresses: readonly string[]) {
  const userData = browser_ids === undefined ? {} : { browser_ids };
  const { raw, issues } = normalizeIdentity(userData, NO_LOOKUPS, AT_MS + 60_000, { atMs: AT_MS, addresses });
  return { ids: raw.browserIds, issues: issues.map(({ field, code }) => `${field} ${code}`) };
}

const EVERY_CLICK =
  'https://shop.example/t?gclid=G1&gbraid=GB1&wbraid=WB1&fbclid=F1&ttclid=T1&ScCid=S1&epik=E1&li_fat_id=L1&rdt_cid=R1&twclid=X1&msclkid=M1&_kx=K1&oppref=P1&tblci=TB1&OutbrainClickId=OB1&awc=A1&irclickid=I1#top';
const READ = {
  fbc: `fb.1.${AT_MS}.F1`,
  gclid: 'G1',
  gbraid: 'GB1',
  wbraid: 'WB1',
  ttclid: 'T1',
  sc_click_id: 'S1',
  epik: 'E1',
  li_fat_id: 'L1',
  rdt_cid: 'R1',
  twclid: 'X1',
  msclkid: 'M1',
  kx: 'K1',
  oppref: 'P1',
  tblci: 'TB1',
  ob_click_id: 'OB1',
  awc: 'A1',
  irclickid: 'I1',
};

describe('clicks in an address', () => {
  it.each([
    ['of the page', [EVERY_CLICK]],
    ['of the page before, where that of the page has none', ['https://shop.example/t', EVERY_CLICK]],
    ['without a host', [EVERY_CLICK.slice('https://shop.example'.length)]],
  ])('%s are read', (_name, addresses) => {
    expect(read(undefined, ...addresses)).toEqual({ ids: READ, issues: [] });
  });

  it('yield to what was sent, and those of the page before to those of the page', () => {
    const { ids } = read({ gclid: 'sent', fbp: `fb.1.${AT_MS}.7` }, '/?gclid=page&ttclid=page', EVERY_CLICK);
    expect(ids).toEqual({ ...READ, gclid: 'sent', ttclid: 'page', fbp: `fb.1.${AT_MS}.7` });
  });

  it('are read where what was sent is none, which is named', () => {
    expect(read({ gclid: 'undefined', fbc: 'garbage' }, EVERY_CLICK)).toEqual({
      ids: READ,
      issues: ['browser_ids.fbc not_an_identifier', 'browser_ids.gclid literal_null'],
    });
  });

  const EMPTY = ['', '?', '/?gclid', '/?gclid=&ttclid=%20', '#?gclid=g', 'not an address', '%'];
  it.each([...EMPTY, '/?GCLID=g&x_gclid=g'])('of %j are none, and no mistake', (address) => {
    expect(read(undefined, address)).toEqual({ ids: undefined, issues: [] });
  });

  it('are refused by name where they are garbage', () => {
    const garbage = '/?gclid={gclid}&ttclid=__CLICKID__&twclid=a%20b&msclkid=null&fbclid=%C3%BC';
    const { ids, issues } = read(undefined, garbage);
    expect(ids).toBeUndefined();
    expect(issues).toEqual([
      'browser_ids.fbc not_an_identifier',
      'browser_ids.gclid literal_null',
      'browser_ids.ttclid literal_null',
      'browser_ids.twclid not_an_identifier',
      'browser_ids.msclkid literal_null',
    ]);
  });
});

describe('an fbc', () => {
  const fbc = (ms: number | string) => `fb.1.${ms}.${FBCLID}`;
  it.each([
    ['as the cookie has it', fbc(AT_MS - DAY_MS), fbc(AT_MS - DAY_MS)],
    ['with the suffix of Meta’s own libraries', `${fbc(AT_MS)}.AQ`, `${fbc(AT_MS)}.AQ`],
    ['of the clock of a browser that is ahead', fbc(AT_MS + 300_000), fbc(AT_MS + 300_000)],
    ['of 90 days ago', fbc(AT_MS - 90 * DAY_MS), fbc(AT_MS - 90 * DAY_MS)],
    ['that is the bare fbclid becomes one', FBCLID, fbc(AT_MS)],
  ])('%s', (_name, sent, wanted) => {
    expect(read({ fbc: sent })).toEqual({ ids: { fbc: wanted }, issues: [] });
  });

  it.each([
    ['in seconds', fbc(AT_MS / 1_000), 'not_an_identifier'],
    ['of a click in the future', fbc(AT_MS + DAY_MS), 'click_out_of_time'],
    ['of a click 200 days ago', fbc(AT_MS - 200 * DAY_MS), 'click_out_of_time'],
    ['that is garbage', 'garbage', 'not_an_identifier'],
    ['that ends early', `fb.1.${AT_MS}.`, 'not_an_identifier'],
    ['with a blank', `fb.1.${AT_MS}.a b`, 'not_an_identifier'],
    ['nobody filled in', '{{fbc}}', 'literal_null'],
  ])('%s is left out and named', (_name, sent, code) => {
    expect(read({ fbc: sent })).toEqual({ ids: undefined, issues: [`browser_ids.fbc ${code}`] });
  });
});

it.each([
  [`fb.1.${AT_MS - 200 * DAY_MS}.1098115397`, []],
  [`fb.2.${AT_MS}.1098115397`, []],
  ['fb.1.1795000000.1098115397', ['browser_ids.fbp not_an_identifier']],
  [`fb.1.${AT_MS + DAY_MS}.1098115397`, ['browser_ids.fbp click_out_of_time']],
  ['1098115397', ['browser_ids.fbp not_an_identifier']],
])('an fbp %s has the issues %j', (fbp, issues) => {
  expect(read({ fbp })).toEqual({ ids: issues.length === 0 ? { fbp } : undefined, issues });
});

it.each([
  ['1795175000', '1795175000'],
  ['GS1.1.1795175000.3.1.1795175060.60.0.0', '1795175000'],
  ['GS2.1.s1795175000$o3$g1$t1795175060$j60$l0$h0', '1795175000'],
  ['GS2.1.o3$s1795175000', undefined],
  ['session-1', undefined],
])('a session of Google Analytics %s is %s', (sent, wanted) => {
  const refused = { ids: undefined, issues: ['browser_ids.ga_session_id not_an_identifier'] };
  expect(read({ ga_session_id: sent })).toEqual(
    wanted === undefined ? refused : { ids: { ga_session_id: wanted }, issues: [] },
  );
});

it('the list of parameters names what there is, each once', () => {
  const entries = CLICK_PARAMETERS.split(',');
  const keys = entries.map((entry) => entry.split(':').at(-1));
  expect(entries).toHaveLength(CLICK_PARAMETER_COUNT);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !(BROWSER_ID_KEYS as readonly (string | undefined)[]).includes(key))).toEqual(
    [],
  );
});
