// The noun step: the descriptor that the director gives to a worker, and what a worker answers. runs-8.
// Both are JSON documents that travel as they are, so their members have the names of the wire (contracts/step.ts, which a
// test holds equal to this file).
import type { StepKind } from './run-state.ts';

/** A gate with what stood behind its command at the run's base. */
export interface StepGate {
  readonly id: string;
  readonly command: string;
  /** The script that the command runs, with its pre and post hooks, as text; null: the command itself. */
  readonly script: string | null;
  readonly source: 'declared' | 'detected';
  readonly required: boolean;
  readonly timeout_seconds: number | null;
  readonly network: boolean | null;
}

export interface StepCheckCommand {
  readonly story_id: string;
  /** Null: the story as a whole. */
  readonly criterion: number | null;
  readonly command: string;
}

/**
 * A bundle that a step's worker fetches before it begins, unless its repository has the commit: that of a step's task, or
 * that which the last publish of a finished run has left.
 */
export type BundleSource = (
  { readonly task_id: string; readonly artifact_id: string } | { readonly run_id: string }
) & {
  /** The commit at the tip of the bundle. */
  readonly commit: string;
};

/** The parts of the message of a story's commit; the worker adds the trailer of its gates. */
export interface CommitText {
  /** `feat: US-001 - Add priority field` */
  readonly subject: string;
  /** One paragraph: the agent's summary, or the story's description. */
  readonly body: string;
  readonly run_id: string;
  readonly story_id: string;
  readonly iteration: number;
  /** The task of the step that made the commit. */
  readonly task_id: string;
}

/** The outcome of one gate or check, as the worker that ran it reports it. */
export interface GateResult {
  readonly gate_id: string | null;
  /** Set for a check of a criterion. */
  readonly criterion: number | null;
  readonly command: string;
  /** Null: it was ended by a signal or a limit. */
  readonly exit_code: number | null;
  readonly passed: boolean;
  /** It failed first, and passed when it was run again. */
  readonly flaky: boolean;
  readonly timed_out: boolean;
  readonly seconds: number;
  /** Absent: no reader knows its output. */
  readonly counts?: TestCounts | undefined;
  /** The end of its output, at most 4 KiB. */
  readonly tail: string;
  /** For a check: its outcome before the work began. */
  readonly before?: 'failed' | 'passed' | 'unknown' | undefined;
}

/** Executed tests, as the runner's output reports them. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface StepDescriptor {
  readonly kind: StepKind;
  readonly run_id: string;
  /** Null for prepare and publish. */
  readonly story_id: string | null;
  /** The attempt, from 1; 0 for prepare and publish. */
  readonly n: number;
  /** ISO 8601; the date of commits, so that a repeated step makes the same ids. */
  readonly created_at: string;
  /** The revision that the step starts from. prepare: as the caller gave it, '' is HEAD. Else a commit id. */
  readonly base: string;
  /** The commit that the run started from; '' before prepare. Dependencies are installed from its lockfile. */
  readonly run_base: string;
  /** The run's branch with its prefix. */
  readonly branch: string;
  readonly branch_policy: 'new' | 'continue';
  readonly fetch: readonly BundleSource[];
  /** A ref below refs/switchyard/runs that keeps what the step makes. */
  readonly keep_ref: string;
  /** Null for prepare: detect it. */
  readonly setup: readonly string[] | null;
  readonly copy: readonly string[];
  /** Null for prepare: detect them. */
  readonly gates: readonly StepGate[] | null;
  /** Checks of the stories (prepare: of all; check and land: of this one). */
  readonly checks: readonly StepCheckCommand[];
  /** Contents of files of the gate configuration at the base, as SHA-256 by path. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly protect: readonly string[];
  readonly allow_test_changes: boolean | readonly string[];
  readonly strict: boolean;
  /** Gates and checks that failed or passed at the base on the home worker. */
  readonly baseline: readonly GateResult[];
  readonly checks_before: readonly CheckBefore[];
  /** The text of progress.txt: for the work place, and with `commit_progress` for the commits of check and land. */
  readonly progress: string;
  readonly commit_progress: boolean;
  /** Longest time of the agent; null: the worker's own limit. */
  readonly timeout_seconds: number | null;
  /** Most bytes of a bundle. */
  readonly bundle_max_bytes: number;
  /** check, judge, land, resolve: what an agent made. */
  readonly candidate: string | null;
  /** land, resolve, publish: the run's head. prepare of a retry: the old head, which the base has to contain. */
  readonly head: string | null;
  /** publish: where the branch has to stand before; null: it has to be new. */
  readonly old_head: string | null;
  /** check and land: the commit to make. */
  readonly commit: CommitText | null;
  /** judge: the criteria to judge. */
  readonly criteria: readonly { readonly index: number; readonly text: string }[];
  /** judge: the agent that implemented the story; null: unknown. */
  readonly implementer: string | null;
  /** publish: also leave the bundle and the diff of the whole run. */
  readonly last: boolean;
  /** publish: the branch of the user to fast-forward; null: none. */
  readonly merge_into: string | null;
}

export interface CheckBefore {
  readonly story_id: string;
  readonly criterion: number | null;
  readonly command: string;
  readonly passed: boolean;
}

export interface ChangedFile {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly added: number | null;
  readonly removed: number | null;
}

export interface ProtectedFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
  readonly verdict: 'accepted' | 'tests_changed' | 'gate_changed';
}

export interface PrepareResult {
  readonly kind: 'prepare';
  readonly base_commit: string;
  readonly branch_exists: boolean;
  /** The commit of the run's branch; null: it is new. */
  readonly branch_commit: string | null;
  readonly dirty: boolean;
  readonly gates: readonly StepGate[];
  readonly setup: readonly string[];
  readonly hashes: Readonly<Record<string, string>>;
  readonly baseline: readonly GateResult[];
  readonly checks_before: readonly CheckBefore[];
  readonly notes: readonly string[];
}

export interface ImplementResult {
  /** resolve answers the same. */
  readonly kind: 'implement' | 'resolve';
  /** The agent that worked. */
  readonly agent: string;
  /** Null: the agent changed nothing. */
  readonly candidate: { readonly commit: string; readonly tree: string } | null;
  readonly changed: readonly ChangedFile[];
  /** The text that the agent appended to progress.txt. */
  readonly notes: string;
  /** Lines that it added under "Codebase Patterns". */
  readonly patterns: readonly string[];
  /** The reason, where the agent says that it cannot be done. */
  readonly blocked: string | null;
  /** The question, where the agent asks a person. */
  readonly asks: string | null;
  /** Its paragraph `SUMMARY:`; '' without one. */
  readonly summary: string;
}

export interface CheckResult {
  readonly kind: 'check';
  /** The story's commit; null where it was rejected before it could be made. */
  readonly commit: string | null;
  readonly tree: string;
  readonly results: readonly GateResult[];
  readonly protected: readonly ProtectedFile[];
  /** The unified diff of changed tests, at most 64 KiB. */
  readonly protected_diff: string;
  /** Tests that fail with the files of the base on the new code. */
  readonly failing_base_tests: readonly string[];
  readonly fewer_tests: { readonly before: number; readonly now: number } | null;
  /** Added skips and disabled checks, as `path:line text`. */
  readonly suppressions: readonly string[];
  /** True: the candidate's tree is its base's. */
  readonly no_change: boolean;
  /** A gate is red here that is red at the base here too, and green at home. */
  readonly environment_differs: readonly string[];
  readonly verdict: 'ok' | 'rejected';
  /** gate_failed, check_failed, gate_changed, tests_changed, fewer_tests, files_changed, suppressed, no_change. */
  readonly code: string | null;
}

export interface JudgeQuote {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Whether the text stands there, within five lines. */
  readonly holds: boolean;
}

export interface JudgeVerdict {
  readonly index: number;
  readonly verdict: 'pass' | 'fail' | 'unverifiable';
  readonly quotes: readonly JudgeQuote[];
  readonly reason: string;
}

export interface JudgeResult {
  readonly kind: 'judge';
  readonly criteria: readonly JudgeVerdict[];
  readonly agent: string;
  readonly same_agent: boolean;
}

export interface LandResult {
  readonly kind: 'land';
  readonly parent: string;
  readonly commit: string | null;
  readonly tree: string | null;
  readonly results: readonly GateResult[];
  readonly conflicts: readonly { readonly path: string }[];
  /** Gates that are red here at the run's base too, and green there at home. */
  readonly environment_differs: readonly string[];
  /** Whether the candidate's own change is the same after the merge, by its patch id. */
  readonly same_patch: boolean;
  readonly verdict: 'ok' | 'conflict' | 'rejected';
  readonly code: string | null;
}

export interface DiagnoseResult {
  readonly kind: 'diagnose';
  /** The findings of the agent, as one learning. */
  readonly advice: string;
}

export interface PublishResult {
  readonly kind: 'publish';
  readonly branch: string;
  /** The commit of the branch before, or now if it was left alone; null: it did not exist. */
  readonly old: string | null;
  readonly new: string;
  readonly pushed: string | null;
  readonly skipped: 'checked_out' | 'moved' | null;
  /** Why the branch of the user was not fast-forwarded; null: it was, or none was named. */
  readonly merge_note: string | null;
}

export type StepResult =
  PrepareResult | ImplementResult | CheckResult | JudgeResult | LandResult | DiagnoseResult | PublishResult;

/** The capability that a worker of this version registers, and that every step asks for. */
export const stepCapability = 'switchyard:steps-1';
/** Labels with this prefix are the service's own: callers may not use them. */
export const reservedLabelPrefix = 'switchyard:';
/** Names of the artifacts of a step. */
export const stepArtifact = 'step';
export const bundleArtifact = 'bundle';
