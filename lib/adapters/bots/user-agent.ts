// Says whether a user agent is one no shopper has. Wrong guesses cost a delivery, never an event: what is taken for a
// bot is still stored and counted. Guarantees: total, for any string. Refuses: to call an absent agent human.
import { isbot } from 'isbot';

/** The shortest agents of real browsers are several times this; HTTP libraries and hand-made ones are below it. */
const LENGTH_MIN_CHARS = 20;
/** Browsers under automation that say so; named here because the library's list is not under our control. */
const HEADLESS = /headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver/i;

/** True for crawlers, headless browsers, HTTP libraries, and an agent that is missing, blank or under 20 characters. */
export function isBot(userAgent: string | undefined): boolean {
  const agent = userAgent?.trim() ?? '';
  return agent.length < LENGTH_MIN_CHARS || HEADLESS.test(agent) || isbot(agent);
}
