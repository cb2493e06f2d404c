import { describe, expect, it } from 'vitest';
import { defineRoute, methodsOf, routesAt } from './route.ts';

const route = (method: 'GET' | 'POST' | 'DELETE', path: string) =>
  defineRoute({ id: path, part: 'api', method, path, summary: '', auth: 'public', replies: {}, errors: [] });

const ROUTES = [
  route('DELETE', '/members/:id'),
  route('POST', '/members/invitations'),
  route('DELETE', '/members/invitations/:id'),
  route('POST', '/members/:id/roles'),
  route('GET', '/events'),
  route('POST', '/events'),
];

describe('routesAt', () => {
  it.each([
    ['/members/7', ['/members/:id']],
    ['/members/7?x=/1', ['/members/:id']],
    ['/members/invitations', ['/members/invitations']],
    ['/members/invitations/7', ['/members/invitations/:id']],
    ['/members/7/roles', ['/members/:id/roles']],
    ['/events', ['/events', '/events']],
    ['/members/', []],
    ['/members', []],
    ['/', []],
  ])('%s', (path, expected) => expect(routesAt(ROUTES, path).map((one) => one.path)).toEqual(expected));

  it('says what a path takes that is spelled out, not what its neighbour takes', () => {
    expect(methodsOf(routesAt(ROUTES, '/members/invitations'))).toEqual(['POST']);
  });
});
