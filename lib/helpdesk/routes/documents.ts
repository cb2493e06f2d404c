// The contract as documents that the API serves itself, and whether it serves at all.
import * as z from 'zod';
import { FILE_REPLY, FILE_REQUEST, fileBody } from '../../core/http/packed-file.ts';
import { defineRoute } from '../../core/http/route.ts';

const shared = { part: 'helpdesk', method: 'GET', auth: 'public', errors: [] } as const;

export const getHelpdeskHealth = defineRoute({
  ...shared,
  id: 'getHelpdeskHealth',
  path: '/healthz',
  summary: 'Answers where the process runs; asks nothing that it depends on',
  replies: { 200: z.object({ success: z.literal(true) }) },
});

export const getHelpdeskOpenApi = defineRoute({
  ...shared,
  id: 'getHelpdeskOpenApi',
  path: '/openapi.json',
  summary: 'This document',
  replies: { 200: z.record(z.string(), z.unknown()) },
});

export const getHelpdeskDocs = defineRoute({
  ...shared,
  id: 'getHelpdeskDocs',
  path: '/docs',
  summary: 'This document as a page',
  replyType: 'text/html; charset=utf-8',
  replyHeaders: { 'content-security-policy': 'What the page may load: files of this origin.' },
  replies: { 200: z.string() },
});

export const getHelpdeskDocsScript = defineRoute({
  ...shared,
  id: 'getHelpdeskDocsScript',
  path: '/docs/swagger-ui.js',
  summary: 'What draws the page',
  replyType: 'text/javascript; charset=utf-8',
  headers: FILE_REQUEST,
  replyHeaders: FILE_REPLY,
  replies: { 200: fileBody },
});

export const getHelpdeskDocsStart = defineRoute({
  ...shared,
  id: 'getHelpdeskDocsStart',
  path: '/docs/start.js',
  summary: 'What tells it what to draw',
  replyType: 'text/javascript; charset=utf-8',
  replies: { 200: z.string() },
});

export const getHelpdeskDocsStyle = defineRoute({
  ...shared,
  id: 'getHelpdeskDocsStyle',
  path: '/docs/swagger-ui.css',
  summary: 'How the page looks',
  replyType: 'text/css; charset=utf-8',
  headers: FILE_REQUEST,
  replyHeaders: FILE_REPLY,
  replies: { 200: fileBody },
});

export const HELPDESK_DOCUMENT_ROUTES = [
  getHelpdeskHealth,
  getHelpdeskOpenApi,
  getHelpdeskDocs,
  getHelpdeskDocsScript,
  getHelpdeskDocsStart,
  getHelpdeskDocsStyle,
] as const;
