// The compute of the whole job, from bytes to the platform's answer and the counters, in one thread: what is left when
// tables, queues and networks cost nothing.
import { atLeast, figure, report, sized } from '../result.ts';
import { inRounds, perCore, type Work } from '../rounds.ts';
import { standardEvent } from '../standard-event.ts';
import { createThinPipeline, THIN_NOW_MS } from '../thin-pipeline.ts';

const BODIES = 2_000;
/** One fold of counters for as many events, as some seconds of traffic would have. */
const EVENTS_PER_FOLD = 1_000;
const bodies = Array.from({ length: BODIES }, (_, i) =>
  Buffer.from(JSON.stringify(standardEvent(i, THIN_NOW_MS / 1_000 - 60))),
);

/** `together`: events that pass each stage in one batch, and travel in one request. */
const job =
  (together: number): Work =>
  async (count) => {
    let pipeline = createThinPipeline();
    for (let done = 0; done < count; done += together) {
      // A fresh store before the ids come round again.
      if (done % BODIES === 0) pipeline = createThinPipeline();
      for (let i = 0; i < together; i++)
        await pipeline.accept(bodies[(done + i) % BODIES] ?? Buffer.alloc(0));
      await pipeline.normalize();
      await pipeline.fanOut();
      await pipeline.deliver();
      if ((done + together) % EVENTS_PER_FOLD === 0) await pipeline.aggregate();
    }
  };

const figures = await inRounds(
  { alone: job(1), ten: job(10), hundred: job(100) },
  { turnMs: sized(400, 10) },
);
report({
  benchmark: 'stages on memory ports',
  rows: [
    figure('one event at a time to one platform', perCore(figures.alone), 'events/s and core'),
    figure('ten at a time', perCore(figures.ten), 'events/s and core'),
    atLeast('a hundred at a time', perCore(figures.hundred), 'events/s and core', 14_000),
    figure('CPU of one event, alone', figures.alone.cpuUs, 'us'),
    figure('CPU of one event, a hundred at a time', figures.hundred.cpuUs, 'us'),
  ],
});
