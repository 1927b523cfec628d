// The choices of a run's creator, and the options that a run is stored with: an absent choice has its default. runs-6.1.
import { DomainError } from '../../model/errors.ts';
import type { Prd } from '../../model/prd/prd.ts';
import type { RunBudget, RunOptions } from '../../model/run/run.ts';
import { branchNameFault } from '../../prd/branch-name.ts';
import { requirePrd } from '../../prd/parse-prd.ts';
import { invalidField } from '../../tasks/routing/invalid-field.ts';
import type { RunSettings } from './run-deps.ts';

/** Undefined: the default. */
export interface RunChoices {
  readonly maxIterations?: number | undefined;
  readonly mode?: 'sequential' | 'parallel' | undefined;
  readonly maxParallel?: number | undefined;
  readonly base?: string | undefined;
  readonly branchPolicy?: 'new' | 'continue' | undefined;
  readonly agents?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly verifier?: { readonly agent?: string | undefined; readonly model?: string | undefined } | undefined;
  /** In place of the document's, as the document spells them. */
  readonly gates?: unknown;
  readonly setup?: readonly string[] | undefined;
  readonly copy?: readonly string[] | undefined;
  readonly baseline?: RunOptions['baseline'] | undefined;
  readonly unverifiable?: RunOptions['unverifiable'] | undefined;
  readonly strict?: boolean | undefined;
  readonly budget?: BudgetChoice | undefined;
  readonly iterationTimeoutSeconds?: number | undefined;
  readonly mergeInto?: string | undefined;
  readonly priority?: number | undefined;
  readonly webhookUrl?: string | undefined;
  readonly conversationId?: string | undefined;
}

/** An absent or null bound: none. */
export type BudgetChoice = { readonly [Bound in keyof RunBudget]?: number | null | undefined };

/** @throws DomainError invalid for a base that is no revision, and for a branch name (`bad_branch_name`) */
export function resolveOptions(choices: RunChoices, settings: RunSettings): RunOptions {
  checkRevision(choices.base);
  if (choices.mergeInto !== undefined) assertBranchName('/merge/into', choices.mergeInto);
  return {
    base: choices.base ?? null,
    branchPolicy: choices.branchPolicy ?? 'new',
    agents: choices.agents ?? [],
    model: choices.model ?? null,
    verifier: { agent: choices.verifier?.agent ?? null, model: choices.verifier?.model ?? null },
    baseline: choices.baseline ?? 'ask',
    unverifiable: choices.unverifiable ?? 'ask',
    iterationTimeoutSeconds: choices.iterationTimeoutSeconds ?? null,
    mergeInto: choices.mergeInto ?? null,
    strict: choices.strict ?? false,
    commitOnPass: settings.commitOnPass,
    commitProgress: settings.commitProgress,
    maxRunSeconds: settings.maxRunSeconds,
    bundleMaxBytes: settings.bundleMaxBytes,
  };
}

export function resolveBudget(choice: BudgetChoice | undefined): RunBudget {
  return {
    usd: choice?.usd ?? null,
    tokens: choice?.tokens ?? null,
    seconds: choice?.seconds ?? null,
    iterations: choice?.iterations ?? null,
  };
}

/** The document with the gates, set-up and files that the request names in place of its own. @throws DomainError invalid_prd */
export function withChosenGates(prd: Prd, { gates, setup, copy }: RunChoices): Prd {
  if (gates === undefined && setup === undefined && copy === undefined) return prd;
  // A document of nothing else: the same rules hold for these members, and errors have the paths of the request.
  const story = { id: 'US-1', title: 'x', description: 'x', acceptanceCriteria: ['x'] };
  const carrier = { project: 'x', branchName: 'x', description: 'x', userStories: [story], gates, setup, copy };
  const chosen = requirePrd(JSON.parse(JSON.stringify(carrier)));
  return {
    ...prd,
    gates: gates === undefined ? prd.gates : chosen.gates,
    setup: setup === undefined ? prd.setup : chosen.setup,
    copy: copy === undefined ? prd.copy : chosen.copy,
  };
}

/** @throws DomainError invalid (`bad_branch_name`) */
export function assertBranchName(path: string, name: string): void {
  const message = branchNameFault(name);
  if (message === undefined) return;
  throw new DomainError('invalid', 'bad_branch_name', `The request is not valid: ${path}: ${message}`, {
    errors: [{ path, message }],
  });
}

/** A revision reaches git as an argument: an option or a control character would be something else there. */
function checkRevision(base: string | undefined): void {
  if (base === undefined || /^(?!-)[^\p{Cc}\s]+$/u.test(base)) return;
  throw invalidField('/base', 'must be a branch, tag or commit, and not begin with "-"');
}
