import { expect, it } from 'vitest';
import { contactIdOf } from './contact-id.ts';

it('gives one id for one address, however it is written, and another one in another workspace', () => {
  const id = contactIdOf('ws', 'Ann@Example.org');
  expect(id).toBe(contactIdOf('ws', 'ann@example.org'));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(contactIdOf('ws2', 'ann@example.org')).not.toBe(id);
  expect(contactIdOf('ws', 'ann2@example.org')).not.toBe(id);
});

it('is what it was: stored contacts are found by it', () => {
  expect(contactIdOf('acme', 'ann@example.org')).toBe('94720eb1-36c9-5158-a9d1-ad99f7dfabf7');
});
