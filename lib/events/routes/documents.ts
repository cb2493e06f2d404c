// The contract as documents that the API serves itself: for programs, and as a page that needs nothing from anywhere else.
import * as z from 'zod';
import { FILE_REPLY, FILE_REQUEST, fileBody } from '../../core/http/packed-file.ts';
import { defineRoute } from '../../core/http/route.ts';

const shared = { part: 'api', method: 'GET', auth: 'public', errors: [] } as const;

export const getOpenApi = defineRoute({
  ...shared,
  id: 'getOpenApi',
  path: '/openapi.json',
  summary: 'This document',
  replies: { 200: z.record(z.string(), z.unknown()) },
});

export const getDocs = defineRoute({
  ...shared,
  id: 'getDocs',
  path: '/docs',
  summary: 'This document as a page',
  replyType: 'text/html; charset=utf-8',
  replyHeaders: { 'content-security-policy': 'What the page may load: files of this origin.' },
  replies: { 200: z.string() },
});

export const getDocsScript = defineRoute({
  ...shared,
  id: 'getDocsScript',
  path: '/docs/swagger-ui.js',
  summary: 'What draws the page',
  replyType: 'text/javascript; charset=utf-8',
  headers: FILE_REQUEST,
  replyHeaders: FILE_REPLY,
  replies: { 200: fileBody },
});

export const getDocsStart = defineRoute({
  ...shared,
  id: 'getDocsStart',
  path: '/docs/start.js',
  summary: 'What tells it what to draw',
  replyType: 'text/javascript; charset=utf-8',
  replies: { 200: z.string() },
});

export const getDocsStyle = defineRoute({
  ...shared,
  id: 'getDocsStyle',
  path: '/docs/swagger-ui.css',
  summary: 'How the page looks',
  replyType: 'text/css; charset=utf-8',
  headers: FILE_REQUEST,
  replyHeaders: FILE_REPLY,
  replies: { 200: fileBody },
});

export const DOCUMENT_ROUTES = [getOpenApi, getDocs, getDocsScript, getDocsStart, getDocsStyle] as const;
