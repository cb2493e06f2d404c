// Both functions of ingestion behind one address, as a merchant's servers and pages see them.
import type { HttpApp } from '../../lib/core/http/http-message.ts';
import { createBrowserIngestion } from '../../services/events/browser-ingestion/app.ts';
import type { BrowserPorts, ServerPorts } from '../../services/events/ingestion/ports.ts';
import { createServerIngestion } from '../../services/events/ingestion/server-app.ts';

const MISDIRECTED = 421;

export function createIngestionApp(ports: ServerPorts & BrowserPorts): HttpApp {
  const [server, browser] = [createServerIngestion(ports), createBrowserIngestion(ports)];
  return async (request) => {
    const reply = await server(request);
    return reply.status === MISDIRECTED ? await browser(request) : reply;
  };
}
