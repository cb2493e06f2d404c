// The local issuer for tests: on a free port, a new one for each test, with a clock that stands still and a file in memory.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { generateSigningKey, type SigningKey } from '../../lib/adapters/oidc/issuer.ts';
import { createSessionVerifier } from '../../lib/adapters/oidc/session-verifier.ts';
import { CALLBACK_PATH } from '../../services/local/issuer/provider.ts';
import { CLIENT_ID, type RunningIssuer, startIssuer } from '../../services/local/issuer/server.ts';
import type { SignIns } from '../../services/local/issuer/sign-in-store.ts';
import {
  authorizeUrl,
  backToPage,
  exchange,
  newVerifier,
  newVisitor,
  sendPassword,
  toPasswordPage,
} from './oidc-client.ts';

const START_MS = Date.UTC(2026, 10, 20, 12);
/** Where the dashboard is. */
export const PAGE = 'http://127.0.0.1:4101';
export const OWNER = { subject: 'sub-1', email: 'owner@shop.example', password: 'correct horse' };

/** Call it once in a file. A test in which the issuer fails inside fails as well. */
export function useLocalIssuer() {
  let key: SigningKey;
  let file: SignIns | undefined;
  let issuer: RunningIssuer;
  const problems: unknown[] = [];

  const open = async (): Promise<void> => {
    issuer = await startIssuer({
      port: 0,
      key,
      people: [OWNER],
      now: Date.now,
      file: {
        read: () => structuredClone(file),
        write: (signIns) => {
          file = JSON.parse(JSON.stringify(signIns)) as SignIns;
        },
      },
      onError: (_problem, error) => problems.push(error),
    });
    issuer.servePages([PAGE]);
  };
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
    file = undefined;
    problems.length = 0;
    key = await generateSigningKey();
    await open();
  });
  afterEach(async () => {
    await issuer.close();
    vi.useRealTimers();
    expect(problems).toEqual([]);
  });

  const at = () => ({ issuer: issuer.issuer, clientId: CLIENT_ID, redirectUri: `${PAGE}${CALLBACK_PATH}` });
  const codeFor = async (visitor = newVisitor()) => {
    const verifier = newVerifier();
    const page = await toPasswordPage(visitor, authorizeUrl(at(), verifier));
    const signedIn = await sendPassword(visitor, page, OWNER.email, OWNER.password);
    const back = await backToPage(visitor, signedIn, issuer.issuer);
    return { verifier, back, code: back.searchParams.get('code') ?? '' };
  };
  return {
    running: () => issuer,
    key: () => key,
    at,
    codeFor,
    signIn: async (visitor = newVisitor()) => {
      const { verifier, code } = await codeFor(visitor);
      const reply = await exchange(at(), code, verifier);
      expect([reply.status, reply.body.error]).toEqual([200, undefined]);
      return { ...reply.body, code, verifier };
    },
    /** The API's own verdict on a token. */
    apiTakes: (token = '') => createSessionVerifier(issuer, { now: Date.now }).verify(token),
    restart: async () => {
      await issuer.close();
      await open();
    },
  };
}

export const later = (sec: number): void => void vi.setSystemTime(Date.now() + sec * 1_000);
