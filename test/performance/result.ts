// One benchmark's figures as one line of JSON, and the table made of all lines.

export interface Row {
  /** What was measured, in words. */
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What must hold, e.g. `<= 85`; absent where there is nothing to reach. */
  readonly budget?: string;
  /** Whether the budget holds; absent without one. */
  readonly met?: boolean;
}

export interface Result {
  readonly benchmark: string;
  readonly rows: readonly Row[];
  /** Anything a reader must know, e.g. what was not measured. */
  readonly notes?: readonly string[];
}

/** A short run (`npm run bench -- --short`) shows that every benchmark still runs; its figures mean nothing. */
export const isShort = process.env.MILLRACE_BENCH_SHORT === '1';
export const sized = (full: number, short: number): number => (isShort ? short : full);

export function report(result: Result): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** A figure that must not exceed `limit`. */
export function atMost(what: string, value: number, unit: string, limit: number): Row {
  return { what, value: rounded(value), unit, budget: `<= ${limit}`, met: value <= limit };
}

/** A figure that must reach `limit`. */
export function atLeast(what: string, value: number, unit: string, limit: number): Row {
  return { what, value: rounded(value), unit, budget: `>= ${limit}`, met: value >= limit };
}

export function figure(what: string, value: number, unit: string): Row {
  return { what, value: rounded(value), unit };
}

/** Three significant digits: more would pretend. */
function rounded(value: number): number {
  return Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(3));
}

export function markdown(results: readonly Result[]): string {
  const lines = ['| Benchmark | Figure | Value | Budget | |', '|---|---|---:|---|---|'];
  for (const { benchmark, rows } of results)
    for (const row of rows) {
      const met = row.met === undefined ? '' : row.met ? 'yes' : '**no**';
      lines.push(
        `| ${benchmark} | ${row.what} | ${row.value.toLocaleString('en-US')} ${row.unit} | ${row.budget ?? ''} | ${met} |`,
      );
    }
  const notes = results.flatMap(({ benchmark, notes: said = [] }) =>
    said.map((note) => `- ${benchmark}: ${note}`),
  );
  return [...lines, ...(notes.length === 0 ? [] : ['', ...notes])].join('\n');
}
