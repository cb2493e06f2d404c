// What a shop calls an address may be a path, a script or a screen of an app: vendors get addresses of the web, or none.
import { describe, expect, it } from 'vitest';
import { sampleEvent } from '#test/support/sample-event.ts';
import { CALLER, loadPlatformModules } from './platform-modules.ts';

const modules = await loadPlatformModules();

describe.each(modules)('$slug', ({ platform, examples }) => {
  const credentials = platform.credentials.parse(examples[0].credentials);

  it.each(['/checkout', 'javascript:alert(1)//shop.example', 'shopapp://cart/7', 'data:text/html,x'])(
    'is not told that a page is at %s',
    (address) => {
      const event = sampleEvent({ eventSourceUrl: address, referrerUrl: address });
      if (platform.unsendable(event, credentials) !== null) return;
      const { body } = platform.buildRequest([event], credentials, CALLER);
      expect(body).not.toContain(address);
    },
  );
});
