import { describe, expect, it } from 'vitest';
import { derivedUuidv7, timeOfUuidv7 } from './derived-id.ts';

describe('derivedUuidv7', () => {
  it('is a UUIDv7 of its time, the same for the same parts and another for others', () => {
    const id = derivedUuidv7(1_795_262_400_123, 'a', 'b');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeOfUuidv7(id)).toBe(1_795_262_400_123);
    expect(derivedUuidv7(1_795_262_400_123, 'a', 'b')).toBe(id);
    expect(derivedUuidv7(1_795_262_400_123, 'ab')).not.toBe(id);
    expect(derivedUuidv7(1_795_262_400_124, 'a', 'b').slice(14)).toBe(id.slice(14));
  });

  it.each([-1, 2 ** 48, 1.5, Number.NaN])('refuses the time %s', (atMs) => {
    expect(() => derivedUuidv7(atMs)).toThrow(RangeError);
  });
});
