// A check that finds nothing is no check: each kind of wrong answer is found.
import { describe, expect, it } from 'vitest';
import { documentedAnswers } from './documented-answers.ts';
import { TRANSPORT_ROUTES } from './transport-routes.ts';

const check = documentedAnswers(TRANSPORT_ROUTES);
const json = { 'content-type': 'application/json; charset=utf-8' };
const failure = (code: string, more: object = {}) => JSON.stringify({ error: 'x', code, ...more });
const stream = {
  method: 'GET',
  path: '/count/3',
  status: 200,
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
};
const taken = { method: 'POST', path: '/taken', headers: json };

describe('documentedAnswers', () => {
  it.each([
    ['a success', { ...taken, status: 200, text: '{"ok":true}' }],
    [
      'a failure with its extra',
      { ...taken, status: 409, text: failure('duplicate_event', { accepted_at: 'x' }) },
    ],
    ['a failure without one', { ...taken, status: 413, text: failure('payload_too_large') }],
    [
      'a file',
      {
        method: 'GET',
        path: '/file',
        status: 200,
        headers: { 'content-type': 'application/octet-stream' },
        text: 'x',
      },
    ],
    ['a stream', { ...stream, text: ': comment\n\nid: 7\nevent: number\ndata: {"n":1}\n\n' }],
    ['a stream that failed', { ...stream, text: `event: error\ndata: ${failure('unavailable')}\n\n` }],
    ['not modified', { method: 'GET', path: '/page', status: 304, headers: {}, text: '' }],
  ])('takes %s', (_name, answer) => expect(check(answer)).toEqual([]));

  it.each([
    ['a status', { ...taken, status: 418, text: '{}' }],
    ['a body', { ...taken, status: 200, text: '{"ok":1}' }],
    ['a code of another status', { ...taken, status: 413, text: failure('not_found') }],
    ['a failure that says more', { ...taken, status: 413, text: failure('payload_too_large', { more: 1 }) }],
    ['a failure that lacks its extra', { ...taken, status: 409, text: failure('duplicate_event') }],
    ['a media type', { ...taken, status: 200, headers: { 'content-type': 'text/html' }, text: '<p>' }],
    ['no Retry-After', { ...taken, status: 503, text: failure('unavailable') }],
    ['a body where there is none', { method: 'GET', path: '/page', status: 304, headers: {}, text: 'x' }],
    ['an event of no name', { ...stream, text: 'data: {"n":1}\n\n' }],
    ['an event that is not documented', { ...stream, text: 'event: word\ndata: {"n":1}\n\n' }],
    ['data of an event', { ...stream, text: 'event: number\ndata: {"n":"1"}\n\n' }],
    [
      'an event after a failure',
      {
        ...stream,
        text: `event: error\ndata: ${failure('unavailable')}\n\nevent: number\ndata: {"n":1}\n\n`,
      },
    ],
    ['an answer at no path', { method: 'GET', path: '/nowhere', status: 200, headers: json, text: '{}' }],
  ])('finds %s', (_name, answer) => expect(check(answer)).toHaveLength(1));
});
