import { describe, expect, it } from 'vitest';
import { isBot } from './user-agent.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

describe('isBot', () => {
  it.each([
    ['Chrome on Windows', CHROME],
    [
      'Safari on iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    ],
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'],
    ['Edge', `${CHROME} Edg/141.0.0.0`],
    [
      'Samsung Internet',
      'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    ],
    [
      'the Facebook in-app browser',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/470.0.0.38.109;FBDV/iPhone15,2]',
    ],
    [
      'the Instagram in-app browser',
      'Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 Instagram 312.0.0.34.111 Android',
    ],
  ])('takes %s for a person', (_name, agent) => {
    expect(isBot(agent)).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['an empty agent', ''],
    ['blanks', ' '.repeat(40)],
    ['19 characters', 'Mozilla/5.0 (X; Y)Z'],
    ['curl', 'curl/8.11.0'],
    ['a long curl', 'curl/8.11.0 (x86_64-pc-linux-gnu) libcurl/8.11.0 OpenSSL/3.4.0'],
    ['python-requests', 'python-requests/2.32.3 CPython/3.13'],
    ['Googlebot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['the Facebook crawler', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['headless Chrome', CHROME.replace('Chrome/', 'HeadlessChrome/')],
    ['headless Chrome in lower case', CHROME.replace('Chrome/', 'headlesschrome/')],
    [
      'PhantomJS',
      'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
    ],
    ['Lighthouse', `${CHROME} Chrome-Lighthouse`],
  ])('takes %s for a bot', (_name, agent) => {
    expect(isBot(agent)).toBe(true);
  });

  it('counts characters after trimming, from 20 on', () => {
    expect(isBot('Mozilla/5.0 (X11; Li')).toBe(false);
    expect(isBot('Mozilla/5.0 (X11; L ')).toBe(true);
  });

  it('is total', () => {
    for (const agent of ['\u0000'.repeat(50), '\ud800'.repeat(30), '('.repeat(10_000), 'é'.repeat(30)]) {
      expect(typeof isBot(agent)).toBe('boolean');
    }
  });
});
