// Finds the gates and the set-up of a repository by its manifests and lockfiles. runs-10.
import type { StepGateWire } from '../../../contracts/step.ts';
import { languageGates } from './language-gates.ts';
import { detectManager, managerSetup, packageGates, scriptText, type GateSketch } from './package-gates.ts';
import { scriptsOf } from '../protection/pinned-parts.ts';
import type { CommitFiles } from '../repository-files.ts';

export interface DetectedGates {
  readonly gates: readonly StepGateWire[];
  readonly setup: readonly string[];
}

/** Ids are unique: a language's second gate of a name is called after its tool, a Makefile's is left out. */
function withUniqueIds(sketches: readonly (GateSketch & { readonly tool: string })[]): GateSketch[] {
  const taken = new Map<string, GateSketch>();
  for (const { id, command, tool } of sketches) {
    if (!taken.has(id)) taken.set(id, { id, command });
    else if (tool !== 'make') taken.set(`${tool}-${id}`, { id: `${tool}-${id}`, command });
  }
  return [...taken.values()];
}

/** Gates of the commit's own scripts and tools, and the commands that install its dependencies. */
export async function detectGates(files: CommitFiles): Promise<DetectedGates> {
  const manager = await detectManager(files);
  const manifest = await files.read('package.json');
  const languages = await languageGates(files);
  const scripted = manifest === undefined ? [] : packageGates(scriptsOf(manifest), manager);
  const sketches = withUniqueIds([...scripted.map((gate) => ({ ...gate, tool: 'npm' })), ...languages.gates]);
  return {
    gates: sketches.map(({ id, command }) => ({
      id,
      command,
      script: scriptText(command, scriptsOf(manifest)),
      source: 'detected',
      required: true,
      timeout_seconds: null,
      network: null,
    })),
    setup: [...(manifest === undefined ? [] : await managerSetup(files, manager, manifest)), ...languages.setup],
  };
}

/** Declared gates with the script that stands behind each command at this commit. */
export async function pinScripts(gates: readonly StepGateWire[], files: CommitFiles): Promise<StepGateWire[]> {
  const scripts = scriptsOf(await files.read('package.json'));
  return gates.map((gate) => ({ ...gate, script: scriptText(gate.command, scripts) }));
}
