// Ties each acceptance criterion to what shows that it holds: a gate, a command of its own, or the judge. runs-10.
// A rule claims a whole criterion or nothing: half a criterion shown by a command would pass unseen.
import type { PrdGate, PrdStory } from '../model/prd/prd.ts';

/** The evidence by which one criterion holds. */
export type CriterionTie =
  | { readonly by: 'gate'; readonly gateId: string }
  | { readonly by: 'check'; readonly command: string }
  | { readonly by: 'judge' };

type NamedGate = Pick<PrdGate, 'id' | 'command'>;

interface GateKind {
  /** The words of a criterion for it. */
  readonly phrase: RegExp;
  /** Ids of gates of this kind, the most exact first. */
  readonly ids: readonly string[];
}

const ending = String.raw`(?:pass(?:es)?|succeeds?)`;
const gateKinds: readonly GateKind[] = [
  {
    phrase: new RegExp(String.raw`^(?:the )?(?:type[ -]?check(?:s|ing)?|types) ${ending}$`),
    ids: ['typecheck', 'type-check', 'check-types', 'types', 'tsc', 'mypy', 'pyright'],
  },
  {
    phrase: new RegExp(String.raw`^(?:the )?(?:lint(?:s|er|ing)?) ${ending}$`),
    ids: ['lint', 'eslint', 'oxlint', 'clippy', 'ruff', 'vet'],
  },
  {
    phrase: new RegExp(String.raw`^(?:all )?(?:the )?(?:unit )?tests? ${ending}$`),
    ids: ['test', 'tests', 'pytest'],
  },
  { phrase: new RegExp(String.raw`^(?:the )?build ${ending}$`), ids: ['build'] },
];

/** A runner of scripts or targets, and the name that follows it. */
const runner = /^(?:(?:npm|pnpm|yarn|bun)(?: run(?: -s| --silent)?)?|npx|cargo|go|make|just|uv run|poetry run) (\S+)/;

const commandPassed = /^(?:pass(?:es)?|succeeds?|exits (?:with )?(?:code |status )?0)[.!]?$/i;
/** Words before the command that make it one of several conditions, or the contrary of one. */
const furtherCondition = /[,;:]|\b(?:and|or|not|never|no|unless|without|only|if|when|while|after|before)\b/i;

/**
 * The evidence for each criterion of a story, in their order. A declared check comes first, then a gate, then a command that the
 * criterion itself names; everything else is for the judge.
 */
export function tieCriteria(
  story: Pick<PrdStory, 'acceptanceCriteria' | 'checks'>,
  gates: readonly NamedGate[],
): readonly CriterionTie[] {
  return story.acceptanceCriteria.map((text, index) => {
    const declared = story.checks.filter(({ criterion }) => criterion === index).map(({ command }) => command);
    return declared.length > 0 ? { by: 'check', command: joinCommands(declared) } : tieText(text, gates);
  });
}

/** All commands have to succeed. A line break ends each, so that a comment at its end hides no parenthesis. */
function joinCommands(commands: readonly string[]): string {
  const [only] = commands;
  if (commands.length === 1 && only !== undefined) return only;
  return commands.map((command) => `(${command}\n)`).join(' && ');
}

function tieText(text: string, gates: readonly NamedGate[]): CriterionTie {
  const named = soleCommandOf(text);
  if (named !== undefined) {
    const gate = gates.find(({ command }) => squeeze(command) === squeeze(named));
    return gate === undefined ? { by: 'check', command: named } : { by: 'gate', gateId: gate.id };
  }
  const gate = gateOfPhrase(text, gates);
  return gate === undefined ? { by: 'judge' } : { by: 'gate', gateId: gate.id };
}

/** The command of a criterion such as "`npm test` passes"; undefined for another criterion. */
function soleCommandOf(text: string): string | undefined {
  const span = soleCodeSpanOf(text);
  return span !== undefined &&
    span.code !== '' &&
    commandPassed.test(span.after.trim()) &&
    !furtherCondition.test(span.before)
    ? span.code
    : undefined;
}

/** The code span of a text without any other backtick: it ends at as many backticks as it begins with. */
function soleCodeSpanOf(
  text: string,
): { readonly before: string; readonly code: string; readonly after: string } | undefined {
  const begin = text.indexOf('`');
  if (begin === -1) return undefined;
  const [mark = ''] = /`+/.exec(text) ?? [];
  for (const { 0: run, index } of text.slice(begin + mark.length).matchAll(/`+/g)) {
    if (run.length !== mark.length) continue;
    const end = begin + mark.length + index;
    const after = text.slice(end + mark.length);
    return after.includes('`')
      ? undefined
      : { before: text.slice(0, begin), code: text.slice(begin + mark.length, end).trim(), after };
  }
  return undefined;
}

function gateOfPhrase(text: string, gates: readonly NamedGate[]): NamedGate | undefined {
  const phrase = squeeze(text.trim().replace(/[.!]$/, ''));
  // "pnpm typecheck passes", without a code span, as ralph-tui writes the gates into each story.
  const spelled = gates.find(({ command }) =>
    ['passes', 'pass', 'succeeds'].some((end) => phrase === `${squeeze(command)} ${end}`),
  );
  if (spelled !== undefined) return spelled;
  const kind = gateKinds.find((one) => one.phrase.test(phrase.toLowerCase()));
  if (kind === undefined) return undefined;
  const byId = kind.ids.map((id) => gates.find((gate) => gate.id.toLowerCase() === id));
  return byId.find((gate) => gate !== undefined) ?? gates.find(({ command }) => runsOneOf(command, kind.ids));
}

function runsOneOf(command: string, names: readonly string[]): boolean {
  const name = runner.exec(squeeze(command))?.[1];
  return name !== undefined && names.includes(name);
}

function squeeze(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
