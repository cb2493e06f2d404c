// What pages call.
import type { HttpApp } from '#lib/core/http/http-message.ts';
import { createApp, NOBODY, type Part } from '../ingestion/app.ts';
import { getPixel, postBrowserEvents } from '../ingestion/browser-path.ts';
import type { BrowserPorts } from '../ingestion/ports.ts';

export const createBrowserIngestion = (ports: BrowserPorts): HttpApp => createApp(ports, browserPart(ports));

const browserPart = (ports: BrowserPorts): Part => ({
  isServed: (route) => route.auth === 'public',
  authenticate: async () => NOBODY,
  posts: {
    '/v1/browser/events': (request, value) => postBrowserEvents(request, value, ports),
    '/v1/browser/batch': async (request, value) => {
      // Most pages have the pixel, which starts without Segment's mapping.
      const { postBrowserSegment } = await import('../ingestion/browser-segment.ts');
      return await postBrowserSegment(request, value, ports);
    },
  },
  gets: { '/v1/pixel.js': (request) => getPixel(request, ports) },
});
