// Goal: what is in a page is what was in the table, and stays readable.
import { describe, expect, it } from 'vitest';
import { inPage } from '#lib/events/pipeline/pages/archive-day.ts';
import { EVENT_SAMPLES } from '#test/conformance/formats/samples.ts';
import { pageCodec } from './page-codec.ts';

const rows = Object.values(EVENT_SAMPLES).flatMap((row) => (row.state === 'normalized' ? [inPage(row)] : []));

describe('a page of old rows', () => {
  it('gives every row back as it was, however it was stored', () => {
    expect(rows.length).toBeGreaterThan(3);
    expect(pageCodec.unpack(pageCodec.pack(rows))).toEqual(rows);
    expect(pageCodec.unpack(pageCodec.pack([]))).toEqual([]);
  });

  it('is the same for the same rows', () => {
    expect(Buffer.from(pageCodec.pack(rows)).equals(Buffer.from(pageCodec.pack(rows)))).toBe(true);
  });

  it('of format 1 stays readable', () => {
    const [row] = pageCodec.unpack(Buffer.from(FORMAT_1, 'base64'));
    expect(row).toEqual(rows[0]);
  });

  it('of another format, or of garbage, is refused', () => {
    for (const bytes of [Buffer.from('garbage'), pageCodec.packIndex(INDEX)])
      expect(() => pageCodec.unpack(bytes)).toThrow();
  });
});

const INDEX = {
  ...{ openedAtMs: 1, isComplete: true, after: 'b' },
  pages: [{ name: 'n', first: 'a', last: 'b' }],
  lists: [{ name: 'l', entries: 2 }],
  erased: [['a', 'e']] as const,
};

describe('the index of a day', () => {
  it('comes back as it was, and stays readable', () => {
    expect(pageCodec.unpackIndex(pageCodec.packIndex(INDEX))).toMatchObject(INDEX);
    expect(pageCodec.unpackIndex(Buffer.from(INDEX_1, 'base64'))).toMatchObject(INDEX);
  });
});

const FORMAT_1 =
  'jY/LbtpAGIVfpfrprrYy4ws4lrLwGDzFkMQ2mGCqLsaXcYy5jBnAMYg3664vViEl+57tOd+RvitwsLECh30rwf51BVGDDRbHRmGYXM2KgqlGf8BVhjFW0Wc44qgne/tDXhx6GCH87e8fUEDeWYQZ5lauqwVDSB2wNFOtvOAqwppumP2B9chSUOAowIbEpV3jYZM20UclJ1qJzXsl//9GvIN9he9gg+5axmmZGW7w4+g6ufA5LSfh0xPcFJBHsOEFFEi/1k7pOLX1/CYqsgvTVxx0ZehRIvxyMS29E6OiSWlUJjVZniKx6m8E25fho8+1NVmuPvJqLdGQh8+t48QuHgYnkuX6bmUEstqKyXQU+I4/r0g6qo8z9PA6DYMmbxNj39XtKErIjPrJOFyFkTYav8VxVy/ErPZO8caU0U68z4aDsRvTZmsSRrI1SQj1t3VHHOY/lBfvMqdzp5VDf9E4n4aHM9i6AjnY17tv8eWZaJuW0UWX04WRu+S8qojOqIfGdHMZ/ySbbPdyTreehNvt9+0f';
const INDEX_1 =
  'VYwhDsMwEMD+Ynykg8em4b0gCkjV6xQpTaPkhqr+fWrZmIHtg71ZteXp74FOQh6vfWvF3FDvXxPS6tZRZoSWPjbQcFDTZigVYc19OEpCKOnGmTMKJQ//swuCVe/5mjwuxXoatqAh3LkRo7Ci0/kD';
