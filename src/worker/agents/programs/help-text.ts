// Parses the options of a program from its help text, by layout: an option's name stands near the start of its line.

/** Names of options and commands, each with its description, spaces collapsed. */
export type HelpTerms = ReadonlyMap<string, string>;

/** Descriptions, and examples in them, are indented deeper. */
const definition = /^ {1,8}(\S.*)$/;

/** The names that a line defines: of an option `-m, --model <name>`, of a command `resume  Resume a session`. */
function namesIn(line: string): string[] {
  const [, text = ''] = definition.exec(line) ?? [];
  const [head = ''] = text.split(/ {2,}/, 1);
  if (head.startsWith('-')) return head.match(/(?<=^|[\s,|])--?[A-Za-z][\w-]*/g) ?? [];
  const isCommand = head !== text && /^[a-z][\w-]*$/.test(head);
  return isCommand ? [head] : [];
}

/** Reads help texts of commander, clap, yargs and similar. */
export function readHelp(help: string): HelpTerms {
  const terms = new Map<string, string>();
  let names: string[] = [];
  for (const line of help.split(/\r?\n/)) {
    const defined = namesIn(line);
    if (defined.length > 0) names = defined;
    for (const name of names) terms.set(name, `${terms.get(name) ?? ''} ${line.trim()}`.trim());
  }
  return terms;
}

/** Whether the help has the term, with these values in its description. */
export function hasTerm(terms: HelpTerms, name: string, values: readonly string[] = []): boolean {
  const description = terms.get(name);
  return description !== undefined && values.every((value) => description.split(/[^\w-]+/).includes(value));
}
