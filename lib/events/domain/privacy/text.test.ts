// What is personal in a text: every kind, in every dress, and what only looks like it.
import { describe, expect, it } from 'vitest';
import { kindInText } from './text.ts';

const FOUND: readonly (readonly [string, string])[] = [
  ['jane.doe@mail.example', 'email'],
  ['write to jane@shop.example today', 'email'],
  ['jane%40shop.example', 'email'],
  ['jane%2540shop.example', 'email'],
  ['jane%252540shop.example', 'email'],
  ['jane＠shop.example', 'email'],
  ['ja\u200bne@sh\u200bop.example', 'email'],
  ['jürgen@bücher.example', 'email'],
  ['caf%E9@shop.example', 'email'],
  [Buffer.from('jane.doe@mail.example').toString('base64url'), 'email'],
  [`{"user":"${Buffer.from('{"email":"jane@mail.example"}').toString('base64')}"}`, 'email'],
  ['+49 30 12345678', 'phone'],
  ['%2B1%20650%20555%201212', 'phone'],
  ['call +44 (0)20 7946 0958 2024', 'phone'],
  ['tel: 030 12345678', 'phone'],
  ['4111 1111 1111 1111', 'card'],
  ['4111-1111-1111-1111', 'card'],
  ['3782 822463 10005', 'card'],
  ['my visa 4111111111111111', 'card'],
  ['GB82 WEST 1234 5698 7654 32', 'iban'],
  ['DE89370400440532013000', 'iban'],
  ['pay to NL91ABNA0417164300 soon', 'iban'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r', 'secret'],
  ['next=/login?token=8f3a9c21', 'secret'],
  ['"accessToken": "8f3a9c21d0"', 'secret'],
  ['password: hunter', 'secret'],
  ['reset 4f9d2c71ab8e40d3a6b59c1e7f2d8a03', 'secret'],
  ['078-05-1120', 'national_id'],
  ['AB 12 34 56 C', 'national_id'],
  ['nino AB123456C', 'national_id'],
  ['529.982.247-25', 'national_id'],
  ['1 85 05 78 006 084 91', 'national_id'],
  ['RSSMRA85T10A562S', 'national_id'],
  ['12345678Z', 'national_id'],
  ['X1234567L', 'national_id'],
  ['2345 6789 0124', 'national_id'],
  ['SSN 078051120', 'national_id'],
  ['{"last_name":"Doe"}', 'person'],
];

const CLEAN = [
  '',
  'icon@2x.png',
  '/@52.5,13.4,15z',
  '@jane',
  'lodash@4.17.21',
  'shoes+12345678901',
  'gtin 4006381333931',
  '4111111111111111',
  '4111 1111 1111 1112',
  '1234567812345670',
  '1Z999AA10123456784',
  'RR123456785GB',
  'GB82 WEST 1234 5698 7654 33',
  'a9c1e7f2-8a03-4f9d-ab8e-40d3a6b59c1e',
  'how-to-reset-your-kettle-in-12-easy-steps',
  'Magic: The Gathering Booster 2024',
  '12345678A',
  '2345 6789 0123',
  '123-45-67890',
  'Key: C major',
  'session_duration: 1234567',
  'key features = 1234567',
  'sort=last_name',
  'C++ 2023 1234567',
  'key: attribute_1',
  'ISBN 978-3-16-148410-0',
  'Lens 24-70mm f/2.8 SKU 0023-4567-8901',
  '2026-11-20T12:00:00Z',
  '52.520008,13.404954',
  'null%',
  '%E0%A4%A',
];

describe('a text', () => {
  it.each(FOUND)('has in %j: %s', (text, kind) => {
    expect(kindInText(text)).toBe(kind);
  });

  it.each(CLEAN)('is clean: %j', (text) => {
    expect(kindInText(text)).toBeNull();
  });
});
