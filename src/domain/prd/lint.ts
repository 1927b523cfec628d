// Finds what is wrong or weak in a PRD that can be read: errors prevent a run, warnings do not. runs-13.
import type { Prd, PrdFinding, PrdStory } from '../model/prd/prd.ts';
import { branchNameFault } from './branch-name.ts';
import { tieCriteria, type CriterionTie } from './criterion-rules.ts';
import { findDependencyCycle, findUnknownDependencies, orderStories } from './story-order.ts';

const maxEasyCriteria = 8;
const maxEasyCharacters = 1500;

const vagueWords =
  /\b(?:works?|working|easy|easily|simple|simply|fast|quick|quickly|nice|nicely|proper|properly|correct|correctly|appropriate|appropriately|good|better|best|robust|intuitive|user[- ]friendly|seamless|seamlessly|reasonable|etc)\b/i;
const interfaceWords =
  /\b(?:ui|button|page|screen|modal|dialog|dropdown|menu|form|badge|sidebar|navbar|tooltip|browser|css|layout)\b/i;
const interfaceChecks = /\b(?:browser|screenshot|playwright|cypress|selenium|puppeteer|e2e|end-to-end|storybook)\b/i;
const ears = /\bshall\b/i;

/** The gates that a repository usually has: the words of a criterion are judged by them where the PRD declares none. */
const usualGates = ['typecheck', 'lint', 'test', 'build'].map((id) => ({ id, command: `npm run ${id}` }));

/** The findings about a document. Paths name members in camelCase: `userStories.0.acceptanceCriteria.2`. */
export function lintPrd(prd: Prd): {
  readonly errors: readonly PrdFinding[];
  readonly warnings: readonly PrdFinding[];
} {
  return { errors: findErrors(prd), warnings: findWarnings(prd) };
}

function findErrors(prd: Prd): PrdFinding[] {
  const branch = branchNameFault(prd.branchName);
  return [
    ...(branch === undefined ? [] : [finding('bad_branch_name', 'branchName', branch)]),
    ...findDuplicateIds(prd.userStories),
    ...findUnknownDependencies(prd.userStories).map(({ story, entry, id }) =>
      finding('unknown_dependency', `userStories.${story}.dependsOn.${entry}`, `There is no story ${id}.`),
    ),
    ...findCycle(prd.userStories),
    ...prd.userStories.flatMap(({ acceptanceCriteria }, index) =>
      acceptanceCriteria.length > 0
        ? []
        : [
            finding(
              'empty_criteria',
              `userStories.${index}.acceptanceCriteria`,
              'The story has no acceptance criteria.',
            ),
          ],
    ),
  ];
}

function findDuplicateIds(stories: readonly PrdStory[]): PrdFinding[] {
  const ids = stories.map(({ id }) => id);
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [finding('duplicate_id', `userStories.${index}.id`, `Another story has the id ${id}.`)],
  );
}

function findCycle(stories: readonly PrdStory[]): PrdFinding[] {
  const cycle = findDependencyCycle(stories);
  if (cycle === undefined) return [];
  const index = stories.findIndex(({ id }) => id === cycle[0]);
  const message = `Stories depend on each other in a cycle: ${cycle.join(' → ')}.`;
  return [finding('dependency_cycle', `userStories.${index}.dependsOn`, message)];
}

function findWarnings(prd: Prd): PrdFinding[] {
  const gates = prd.gates ?? usualGates;
  return [
    ...findMissingGates(prd),
    ...prd.userStories.flatMap((story, index) => [
      ...findStoryWarnings(story, `userStories.${index}`),
      ...findCriterionWarnings(story, tieCriteria(story, gates), `userStories.${index}`),
    ]),
    ...findLateDependencies(prd.userStories),
  ];
}

function findMissingGates({ gates }: Prd): PrdFinding[] {
  if (gates === null)
    return [finding('no_gates', 'gates', 'No gates are declared: those that the repository shows are used.')];
  return gates.length > 0
    ? []
    : [finding('no_gates', 'gates', 'There are no gates: only checks and the judge decide.')];
}

function findStoryWarnings(story: PrdStory, path: string): PrdFinding[] {
  const { acceptanceCriteria, description, passes } = story;
  const characters = [story.title, description, ...acceptanceCriteria].join('').length;
  const tooLarge = acceptanceCriteria.length > maxEasyCriteria || characters > maxEasyCharacters;
  const size = `The story has ${acceptanceCriteria.length} criteria and ${characters} characters. Split it: one story fits one sitting of an agent.`;
  return [
    ...(tooLarge ? [finding('story_too_large', path, size)] : []),
    ...(passes
      ? [finding('passed_by_import', `${path}.passes`, 'The story counts as passed and is not worked on.')]
      : []),
  ];
}

function findCriterionWarnings(story: PrdStory, ties: readonly CriterionTie[], path: string): PrdFinding[] {
  const { acceptanceCriteria: criteria, checks } = story;
  const judged = criteria.flatMap((text, index) => (ties[index]?.by === 'judge' ? [{ text, index }] : []));
  const vague = judged.flatMap(({ text, index }) => {
    const [word] = vagueWords.exec(text) ?? [];
    const message = `"${word}" can be read in many ways. Write what can be observed or run.`;
    return word === undefined ? [] : [finding('vague_criterion', `${path}.acceptanceCriteria.${index}`, message)];
  });
  return [
    ...vague,
    ...(checks.length === 0 && criteria.length > 0 && judged.length === criteria.length
      ? [
          finding(
            'no_command_criterion',
            path,
            'No command shows that the story is done. Add one, such as "`npm test` passes".',
          ),
        ]
      : []),
    ...findUncheckedInterface(story, ties, path),
    ...findPlainBehaviour(judged, path),
  ];
}

function findUncheckedInterface(story: PrdStory, ties: readonly CriterionTie[], path: string): PrdFinding[] {
  const criteria = story.acceptanceCriteria.join('\n');
  const isInterface = interfaceWords.test(`${story.title}\n${story.description}\n${criteria}`);
  const isChecked = story.checks.length > 0 || ties.some(({ by }) => by === 'check') || interfaceChecks.test(criteria);
  const message = 'The story changes what people see, and nothing looks at it. Add a check that opens it.';
  return isInterface && !isChecked ? [finding('ui_without_check', path, message)] : [];
}

/** One finding for each story: a document of the original format would get one for nearly every criterion. */
function findPlainBehaviour(
  judged: readonly { readonly text: string; readonly index: number }[],
  path: string,
): PrdFinding[] {
  const plain = judged.filter(({ text }) => !ears.test(text));
  const [first] = plain;
  if (first === undefined) return [];
  const message = `For information: ${plain.length} criteria do not have the form "WHEN … THE SYSTEM SHALL …", which a reviewer can judge best.`;
  return [finding('not_ears', `${path}.acceptanceCriteria.${first.index}`, message)];
}

/** Dependencies on stories that come later by priority and order. */
function findLateDependencies(stories: readonly PrdStory[]): PrdFinding[] {
  const position = new Map(orderStories(stories).map(({ id }, index) => [id, index]));
  return stories.flatMap(({ id, dependsOn }, index) =>
    (dependsOn ?? []).flatMap((dependency, entry) => {
      const isLater = (position.get(dependency) ?? -1) > (position.get(id) ?? 0);
      const message = `${id} depends on ${dependency}, which comes after it by priority or order. The dependency decides.`;
      return isLater ? [finding('depends_on_later', `userStories.${index}.dependsOn.${entry}`, message)] : [];
    }),
  );
}

function finding(code: string, path: string, message: string): PrdFinding {
  return { code, path, message };
}
