// Judges what a candidate did to tests, to the configuration of gates and to lockfiles. runs-10, runs-18.
import type { CheckResultWire, StepDescriptorWire } from '../../../contracts/step.ts';
import { openCommitFiles, type CommitFiles, type GitPlace } from '../repository-files.ts';
import { diffText, listChanges, type CandidateChange } from './candidate-diff.ts';
import {
  gateConfigurationKind,
  isDependencyLock,
  isPartlyConfiguration,
  isTestFile,
  scriptFilesIn,
} from './gate-configuration.ts';
import { isNamedByGlob } from './glob.ts';
import { localDependencies, tamperedEntries } from './lockfile.ts';
import { changedParts } from './pinned-parts.ts';
import { findSuppressions } from './suppressions.ts';

type ProtectedFile = CheckResultWire['protected'][number];
export type ProtectionRules = Pick<
  StepDescriptorWire,
  'gates' | 'baseline' | 'hashes' | 'protect' | 'allow_test_changes'
>;

export interface Protection {
  /** The candidate's tree is its base's. */
  readonly noChange: boolean;
  /** With the verdict of the configuration; changed tests are `accepted` until the base's tests have run. */
  readonly files: readonly ProtectedFile[];
  /** Existing tests that it changed or deleted without permission. */
  readonly changedTests: readonly CandidateChange[];
  /** Whether tests that it deleted, or may change, explain that fewer are executed. */
  readonly explainsFewerTests: boolean;
  /** A lockfile differs, in a way that is allowed. */
  readonly lockChanged: boolean;
  /** Unified diff of changed tests, at most 64 KiB. */
  readonly diff: string;
  readonly suppressions: readonly string[];
}

const maxDiffChars = 64 * 1024;
const maxScannedChars = 8 * 1024 * 1024;

interface Judging {
  readonly rules: ProtectionRules;
  readonly before: CommitFiles;
  readonly after: CommitFiles;
  /** Files that pinned commands name. */
  readonly scripts: ReadonlySet<string>;
  /** Archives and folders that `file:` dependencies of the base name. */
  readonly local: readonly string[];
  readonly folders: ReadonlySet<string>;
}

function mayChange({ allow_test_changes: allowed }: ProtectionRules, path: string): boolean {
  return typeof allowed === 'boolean' ? allowed : allowed.some((glob) => isNamedByGlob(path, glob));
}

/** New configuration harms only gates that were green without it; a new folder has no tests that it could weaken. */
function weakensGates(path: string, { rules, folders }: Judging): boolean {
  const kind = gateConfigurationKind(path);
  if (kind === 'ci') return false;
  const committed = path.includes('node_modules/');
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  if (!committed && folder !== '' && !folders.has(folder)) return false;
  const green = (rules.gates ?? []).filter(({ id }) =>
    rules.baseline.some(({ gate_id: gate, passed }) => gate === id && passed),
  );
  if (kind !== 'lint') return committed || green.length > 0;
  return green.some(({ id, command, script }) =>
    /lint|prettier|biome|ruff|fmt|clippy|format|check/i.test(`${id} ${command} ${script}`),
  );
}

async function changesConfiguration(change: CandidateChange, judging: Judging): Promise<boolean> {
  const { path } = change;
  const { rules, before, after, scripts, local } = judging;
  const isExisting = change.change !== 'added';
  if (rules.protect.some((glob) => isNamedByGlob(path, glob))) return isExisting;
  if (scripts.has(path) || local.some((target) => path === target || path.startsWith(`${target}/`))) return isExisting;
  // A manifest that tests read is a fixture.
  if (isTestFile(path) && /(^|\/)(__fixtures__|fixtures?|testdata)\//.test(path)) return false;
  if (gateConfigurationKind(path) !== undefined) return isExisting || weakensGates(path, judging);
  if (!isPartlyConfiguration(path) && !isDependencyLock(path)) return false;
  const [old, now] = await Promise.all([before.read(path), after.read(path)]);
  if (isPartlyConfiguration(path) && changedParts(path, old, now).length > 0) return true;
  if (!isDependencyLock(path) || path.endsWith('go.mod') || old === undefined) return false;
  return now === undefined || tamperedEntries(path, old, now).length > 0;
}

async function judgeFile(change: CandidateChange, judging: Judging): Promise<ProtectedFile | undefined> {
  const { path } = change;
  if (await changesConfiguration(change, judging)) return { path, change: change.change, verdict: 'gate_changed' };
  if (!isTestFile(path) || change.change === 'added') return undefined;
  return { path, change: change.change, verdict: 'accepted' };
}

/** Folders of the base with files in them. */
function foldersOf({ entries }: CommitFiles): Set<string> {
  return new Set([...entries.keys()].map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
}

async function localTargets(files: CommitFiles): Promise<string[]> {
  const manifests = [...files.entries.keys()].filter((path) => /(^|\/)package\.json$/.test(path) && !isTestFile(path));
  const texts = await Promise.all(
    manifests.slice(0, 200).map(async (path) => ({ path, text: await files.read(path) })),
  );
  return (
    texts
      .flatMap(({ path, text }) => localDependencies(path, text ?? ''))
      // A package of the repository itself, or one outside: no archive.
      .filter((target) => files.entries.has(target))
  );
}

/**
 * @param base commit that the candidate was made on
 * @param candidate commit
 * @throws WorkspaceError
 */
export async function judgeProtection(
  place: GitPlace,
  { base, candidate, rules }: { base: string; candidate: string; rules: ProtectionRules },
): Promise<Protection> {
  const changes = await listChanges(place, base, candidate);
  const [before, after] = [await openCommitFiles(place, base), await openCommitFiles(place, candidate)];
  const commands = (rules.gates ?? []).flatMap(({ command, script }) => [command, script ?? '']);
  const judging: Judging = {
    rules,
    before,
    after,
    scripts: new Set([...scriptFilesIn(commands, new Set(before.entries.keys())), ...scriptHashes(rules)]),
    local: await localTargets(before),
    folders: foldersOf(before),
  };
  const files: ProtectedFile[] = [];
  for (const change of changes) {
    const judged = await judgeFile(change, judging);
    if (judged !== undefined) files.push(judged);
  }
  const tests = new Set(files.filter(({ verdict }) => verdict === 'accepted').map(({ path }) => path));
  const changedTests = changes.filter(({ path }) => tests.has(path));
  const diffOf = (paths: readonly string[], maxChars: number): Promise<string> =>
    diffText(place, { base, candidate, paths, maxChars });
  return {
    noChange: changes.length === 0,
    files: files.slice(0, 1000),
    changedTests: changedTests.filter(({ path }) => !mayChange(rules, path)),
    explainsFewerTests: changedTests.some(({ path, change }) => change === 'deleted' || mayChange(rules, path)),
    lockChanged: changes.some(({ path }) => isDependencyLock(path)),
    diff: tests.size === 0 ? '' : await diffOf([...tests], maxDiffChars),
    suppressions: changes.length === 0 ? [] : findSuppressions(await diffOf([], maxScannedChars)),
  };
}

/** Files pinned at the run's base that are neither configuration by name nor in part: scripts that commands name. */
function scriptHashes({ hashes }: ProtectionRules): string[] {
  return Object.keys(hashes).filter(
    (path) => gateConfigurationKind(path) === undefined && !isPartlyConfiguration(path),
  );
}
