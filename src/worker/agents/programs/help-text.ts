// What a program's help says that it takes. Read by layout: what an option is called stands near the line's begin.

/** Names of options and commands, each with what the help says of it, blanks made one. */
export type HelpTerms = ReadonlyMap<string, string>;

/** Descriptions are indented deeper, and so is what they quote. */
const definition = /^ {1,8}(\S.*)$/;

/** The names that a line defines: of an option `-m, --model <name>`, of a command `resume  Resume a session`. */
function namesIn(line: string): string[] {
  const [, text = ''] = definition.exec(line) ?? [];
  const [head = ''] = text.split(/ {2,}/, 1);
  if (head.startsWith('-')) return head.match(/(?<=^|[\s,|])--?[A-Za-z][\w-]*/g) ?? [];
  const isCommand = head !== text && /^[a-z][\w-]*$/.test(head);
  return isCommand ? [head] : [];
}

/** Reads the help of commander, clap, yargs and the like. */
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

/** Whether the help has the term, and says these values of it. */
export function hasTerm(terms: HelpTerms, name: string, values: readonly string[] = []): boolean {
  const description = terms.get(name);
  return description !== undefined && values.every((value) => description.split(/[^\w-]+/).includes(value));
}
