// Walks through a deployment: each cites the flows of the table that it shows, and runs where they say.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { flowOf } from '../flows.ts';
import type { DeploymentName } from '../flows/flow.ts';
import { Deployment } from './deployment.ts';
import { Scene } from './scene.ts';

/** @param shows ids of the table of flows */
export type Walk = (shows: readonly string[], title: string, go: (scene: Scene) => Promise<void>) => void;

interface Stage {
  readonly deployment: Deployment;
}

interface WalksOptions {
  readonly on: readonly DeploymentName[];
  /** Settings of the service. Called once for each deployment, before it starts. */
  readonly settings?: (name: DeploymentName) => Promise<Readonly<Record<string, string>>>;
  /** Walks that disturb each other go one by one. */
  readonly oneByOne?: true;
  /** Runs once, when the deployment has started; what it opens ends before the deployment. */
  readonly prepare?: (scene: Scene) => Promise<void>;
}

/** Walks that share a deployment, at once; at its end its database and its audit have to be whole. */
export function walks(area: string, options: WalksOptions, register: (walk: Walk, stage: Stage) => void): void {
  describe.each(options.on)(`${area}, %s`, (name) => {
    let deployment: Deployment;
    let common: Scene;
    beforeAll(async () => {
      deployment = await Deployment.open(name, await options.settings?.(name));
      common = await Scene.open(deployment);
      await options.prepare?.(common);
    });
    afterAll(async () => {
      await using _ends = deployment;
      await common[Symbol.asyncDispose]();
      await deployment.mustBeWhole();
    });
    const stage: Stage = {
      get deployment() {
        return deployment;
      },
    };
    const test = options.oneByOne === true ? it : it.concurrent;
    const walk: Walk = (shows, title, go) => {
      if (!shows.some((id) => flowOf(id).deployments.includes(name))) return;
      test(`${title} (${shows.join(', ')})`, async () => {
        await using scene = await Scene.open(deployment);
        try {
          await go(scene);
        } catch (error) {
          process.stderr.write(`${area}, ${name}: ${title}\n${scene.report()}\n`);
          throw error;
        }
      });
    };
    register(walk, stage);
  });
}

/** A walk through `switchyard up`, which its file starts itself. */
export function localWalk(shows: readonly string[], title: string, go: () => Promise<void>): void {
  for (const id of shows) if (!flowOf(id).deployments.includes('local')) throw new Error(`${id} is not walked locally`);
  const test = it;
  test(`${title} (${shows.join(', ')})`, go);
}
