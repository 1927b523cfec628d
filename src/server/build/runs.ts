// Wires the verbs of autonomous runs.
import { unavailable } from '../../domain/model/errors.ts';
import type { RunDeps, RunSettings } from '../../domain/runs/change/run-deps.ts';
import type { BuildOptions } from './build-options.ts';
import type { Services } from './services.ts';

const settings: RunSettings = {
  enabled: true,
  maxIterations: 5,
  maxParallel: 3,
  commitOnPass: true,
  commitProgress: false,
  branchPrefix: 'ralph/',
  maxRunSeconds: 86_400,
  bundleMaxBytes: 67_108_864,
};

export function wireRuns(_options: BuildOptions, services: Services): RunDeps {
  const decisions: RunDeps['decisions'] = {
    settle: () => Promise.reject(unavailable('no_director', 'Runs cannot be decided about yet.', 60)),
  };
  return { ...services, settings, decisions };
}
