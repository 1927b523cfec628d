// The configuration of gates at a run's base as hashes, so that anybody can see later what was pinned. runs-10.
import type { StepGateWire } from '../../../contracts/step.ts';
import { sha256 } from '../../../lib/digest.ts';
import type { CommitFiles } from '../repository-files.ts';
import { gateConfigurationKind, isPartlyConfiguration, scriptFilesIn } from './gate-configuration.ts';
import { pinnedParts } from './pinned-parts.ts';

const maxFiles = 1000;

/** @returns SHA-256 by path: of the content, for a manifest of its pinned parts alone */
export async function pinFiles(files: CommitFiles, gates: readonly StepGateWire[]): Promise<Record<string, string>> {
  const tracked = new Set(files.entries.keys());
  const named = scriptFilesIn(
    gates.flatMap(({ command, script }) => [command, script ?? '']),
    tracked,
  );
  const configuration = [...tracked].filter(
    (path) => gateConfigurationKind(path) !== undefined || isPartlyConfiguration(path),
  );
  const hashes: Record<string, string> = {};
  for (const path of [...new Set([...named, ...configuration])].slice(0, maxFiles)) {
    const text = await files.read(path);
    if (text === undefined) continue;
    const pinned = isPartlyConfiguration(path) ? JSON.stringify([...pinnedParts(path, text)]) : text;
    hashes[path] = sha256(pinned, 'hex');
  }
  return hashes;
}
