import { type Command, UsageProblem } from '../command.ts';

const SHELLS = ['bash', 'zsh'] as const;

/** Of all commands, once the list of them is there. */
export const completionOf = (commands: () => readonly Command[], shared: readonly string[]): Command => ({
  name: 'completion',
  takes: ['<bash|zsh>'],
  purpose: 'Prints what has the shell complete millrace: eval "$(npx millrace completion bash)".',
  prepare({ positionals: [shell = ''] }) {
    if (!SHELLS.some((one) => one === shell)) throw new UsageProblem(`There is ${SHELLS.join(' and ')}.`);
    const text = scriptOf(shell, commands(), shared);
    return { offline: { json: { script: text }, text } };
  },
});

/** zsh knows bash's way. */
function scriptOf(shell: string, commands: readonly Command[], shared: readonly string[]): string {
  const words = (list: readonly string[]): string => [...new Set(list)].sort().join(' ');
  const cases = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? '');
  const lines = [...cases].map(([first, some]) => {
    const verbs = some.flatMap(({ name }) => name.split(' ').slice(1));
    const options = [...some.flatMap((one) => Object.keys(one.options ?? {})), ...shared];
    return `    ${first}) words="${words([...verbs, ...options.map((option) => `--${option}`)])}" ;;`;
  });
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_millrace() {',
    '  local words',
    `  case "\${COMP_WORDS[1]}" in`,
    ...lines,
    '  esac',
    `  [ "$COMP_CWORD" -eq 1 ] && words="${words([...cases.keys()])}"`,
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    'complete -F _millrace millrace',
    'alias millrace="npx millrace"',
    '',
  ].join('\n');
}
