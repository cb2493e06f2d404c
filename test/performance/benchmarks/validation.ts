// Reading one event: from bytes to a validated body with the digest of its payload. The floor is what any service on zod
// must spend: JSON.parse and a compiled schema.
import { z } from 'zod';
import { parseStrictJson } from '#lib/core/http/strict-json.ts';
import { eventSchema } from '#lib/events/domain/event/event.ts';
import { readEvent } from '#services/events/ingestion/read-event.ts';
import { atMost, figure, report } from '../result.ts';
import { inRounds, perCore, type Work } from '../rounds.ts';
import { standardEvent } from '../standard-event.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const bodies = Array.from({ length: 64 }, (_, i) =>
  Buffer.from(JSON.stringify(standardEvent(i, NOW_MS / 1_000 - 60))),
);
const values = bodies.map((body) => JSON.parse(body.toString()) as unknown);
const compiled = z.compile(eventSchema);

const over =
  <T>(list: readonly T[], work: (value: T) => unknown): Work =>
  (count) => {
    for (let i = 0; i < count; i++) if (work(list[i % list.length] as T) === null) throw new Error('refused');
  };

const must = (ok: boolean): true | null => (ok ? true : null);
const figures = await inRounds({
  parse: over(bodies, (body) => JSON.parse(body.toString())),
  floor: over(bodies, (body) => must(compiled.safeParse(JSON.parse(body.toString())).success)),
  strict: over(bodies, (body) => must(parseStrictJson(body).ok)),
  validate: over(values, (value) => must(compiled.safeParse(value).success)),
  read: over(values, (value) => must(readEvent(value, NOW_MS).ok)),
  ours: over(bodies, (body) => {
    const parsed = parseStrictJson(body);
    return must(parsed.ok && readEvent(parsed.value, NOW_MS).ok);
  }),
  'ours without digest': over(bodies, (body) => {
    const parsed = parseStrictJson(body);
    return must(parsed.ok && compiled.safeParse(parsed.value).success);
  }),
});

report({
  benchmark: 'validation',
  rows: [
    figure('JSON.parse', figures.parse.cpuUs, 'us CPU'),
    figure('JSON.parse + z.compile (the floor)', figures.floor.cpuUs, 'us CPU'),
    figure('z.compile alone', figures.validate.cpuUs, 'us CPU'),
    figure('strict JSON alone', figures.strict.cpuUs, 'us CPU'),
    figure('strict JSON, rules and payload digest', figures.ours.cpuUs, 'us CPU'),
    atMost(
      'parse + validate against the floor',
      figures['ours without digest'].cpuUs / figures.floor.cpuUs,
      'x',
      1.5,
    ),
    figure('with rules and payload digest against the floor', figures.ours.cpuUs / figures.floor.cpuUs, 'x'),
    figure('events a second', perCore(figures.ours), '/s and core'),
  ],
});
