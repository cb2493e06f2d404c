/** What `-c name=value` and `--context name=value` say on a command line of the CDK. */
export function contextOf(args: readonly string[]): Readonly<Record<string, string>> {
  const pairs = args.flatMap((arg, at) => {
    if (arg === '-c' || arg === '--context') return [args[at + 1] ?? ''];
    return arg.startsWith('--context=') ? [arg.slice('--context='.length)] : [];
  });
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    }),
  );
}
