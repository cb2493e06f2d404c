/** The same function, asked once for each id: who asks again gets the first answer, also while it is under way. For one run. */
export function askOnce<Args extends readonly unknown[], Answer>(
  ask: (...args: Args) => Answer,
  idOf: (...args: Args) => string,
): (...args: Args) => Answer {
  const answers = new Map<string, { readonly answer: Answer }>();
  return (...args) => {
    const id = idOf(...args);
    const known = answers.get(id) ?? { answer: ask(...args) };
    answers.set(id, known);
    return known.answer;
  };
}
