// The contract as documents that an API serves itself: for programs, and as a page that needs nothing from anywhere else.
import * as z from 'zod';
import { FILE_REPLY, FILE_REQUEST, fileBody } from '../http/packed-file.ts';
import { defineRoute } from '../http/route.ts';

const shared = { method: 'GET', auth: 'public', errors: [] } as const;

/** The ids are `getOpenApi`, `getDocs` and so on, with the product's name after `get`. */
export function documentRoutes<const Part extends string, const Name extends string>(part: Part, name: Name) {
  return [
    defineRoute({
      ...shared,
      part,
      id: `get${name}OpenApi`,
      path: '/openapi.json',
      summary: 'This document',
      replies: { 200: z.record(z.string(), z.unknown()) },
    }),
    defineRoute({
      ...shared,
      part,
      id: `get${name}Docs`,
      path: '/docs',
      summary: 'This document as a page',
      replyType: 'text/html; charset=utf-8',
      replyHeaders: { 'content-security-policy': 'What the page may load: files of this origin.' },
      replies: { 200: z.string() },
    }),
    defineRoute({
      ...shared,
      part,
      id: `get${name}DocsScript`,
      path: '/docs/swagger-ui.js',
      summary: 'What draws the page',
      replyType: 'text/javascript; charset=utf-8',
      headers: FILE_REQUEST,
      replyHeaders: FILE_REPLY,
      replies: { 200: fileBody },
    }),
    defineRoute({
      ...shared,
      part,
      id: `get${name}DocsStart`,
      path: '/docs/start.js',
      summary: 'What tells it what to draw',
      replyType: 'text/javascript; charset=utf-8',
      replies: { 200: z.string() },
    }),
    defineRoute({
      ...shared,
      part,
      id: `get${name}DocsStyle`,
      path: '/docs/swagger-ui.css',
      summary: 'How the page looks',
      replyType: 'text/css; charset=utf-8',
      headers: FILE_REQUEST,
      replyHeaders: FILE_REPLY,
      replies: { 200: fileBody },
    }),
  ] as const;
}
