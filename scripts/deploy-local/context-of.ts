/** What `-c name=value` and `--context name=value` say on a command line of the CDK. */
export function contextOf(args: readonly string[]): Readonly<Record<string, string>> {
  const pairs = args.flatMap((arg, at) => {
    if (arg === '-c' || arg === '--context') return [args[at + 1] ?? ''];
    return arg.startsWith('--context=') ? [arg.slice('--context='.length)] : [];
  });
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new Error(`--context ${pair}: expected name=value.`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}
